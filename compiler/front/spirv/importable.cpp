// Intrinsics of LLVM that modules import by name, as producers that run LLVM's passes leave them.

#include "compiler/front/spirv/functions.hpp"
#include "compiler/passes/prepare/lower_traps.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Those through whose pointers memory is accessed, and which the checks of kernels know.
bool accesses_memory(Intrinsic::ID id) {
  return id == Intrinsic::memcpy || id == Intrinsic::memmove || id == Intrinsic::memset;
}

} // namespace

/// LLVM says what an intrinsic does; the verifier checks its types and which operands are constants.
bool is_importable(const Function& declaration) {
  const Intrinsic::ID id = declaration.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || Intrinsic::isTargetIntrinsic(id)) return false;
  if (is_trap(declaration) || accesses_memory(id)) return true;
  const AttributeSet attributes = Intrinsic::getFnAttributes(declaration.getContext(), id);
  return attributes.getMemoryEffects().doesNotAccessMemory() && attributes.hasAttribute(Attribute::WillReturn);
}

} // namespace hostcl::compiler::spirv
