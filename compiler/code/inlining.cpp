#include "compiler/code/inlining.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/1_kernel/lower_printf.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"
#include "compiler/passes/4_range/host_callbacks.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// What a function may contain without having to be inlined into the kernel: nothing that needs the kernel's
/// launch, or queries of ids and sizes, and traps.
enum class Allowed { nothing_of_kernel, queries };

bool is_query(const Function& function) {
  const auto intrinsic = intrinsic_of(function);
  return intrinsic && *intrinsic <= Intrinsic::work_dim;
}

/// The functions that do, directly or through other functions, something that needs the kernel's launch:
/// query ids and sizes, or trap (a trap is reported with its work-item), unless `allowed` is `queries`; call
/// barriers and similar intrinsics; use local variables; or call host callbacks.
SmallPtrSet<Function*, 16> parts_of_kernel(llvm::Module& module, Allowed allowed) {
  SmallVector<Value*, 8> open;
  for (Function& function : module) {
    const bool is_allowed = allowed == Allowed::queries && is_query(function);
    if ((intrinsic_of(function) && !is_allowed) || is_printf(function) || is_host_callback(function) ||
        (is_trap(function) && allowed == Allowed::nothing_of_kernel))
      open.push_back(&function);
  }
  for (GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == local_space) open.push_back(&variable);
  SmallPtrSet<Function*, 16> parts;
  SmallPtrSet<Value*, 16> seen;
  while (!open.empty())
    for (User* user : open.pop_back_val()->users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (!instruction) { // a constant expression
        if (seen.insert(user).second) open.push_back(user);
      } else if (parts.insert(instruction->getFunction()).second) {
        open.push_back(instruction->getFunction());
      }
    }
  return parts;
}

/// The number of instructions of a function after all of its calls have been inlined, as saturating sums.
class InlinedSizes {
public:
  std::uint64_t of(const Function& function) {
    auto [known, is_new] = sizes_.try_emplace(&function, 0); // 0 for recursive calls
    if (!is_new) return known->second;
    std::uint64_t size = function.getInstructionCount();
    for (const Instruction& instruction : instructions(function))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          size = SaturatingAdd(size, of(*callee));
    return sizes_[&function] = size;
  }

private:
  DenseMap<const Function*, std::uint64_t> sizes_;
};

/// Adds `noinline` to functions of more than 1,000 instructions that have at least two uses and need not be
/// inlined (`parts`).
void limit_size(llvm::Module& module, const Function& kernel, const SmallPtrSetImpl<Function*>& parts,
                InlinedSizes& sizes) {
  constexpr std::uint64_t large_function = 1'000;
  for (Function& function : module)
    if (!function.isDeclaration() && &function != &kernel && !parts.contains(&function) &&
        function.hasNUsesOrMore(2) && sizes.of(function) > large_function)
      function.addFnAttr(Attribute::NoInline);
}

void ignore_noinline(Function& function) {
  function.removeFnAttr(Attribute::NoInline);
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::NoInline);
}

} // namespace

void request_inlining(llvm::Module& module, const Function& kernel, bool has_checks) {
  constexpr std::uint64_t large_kernel = 100'000;
  InlinedSizes sizes;
  const bool is_large = sizes.of(kernel) > large_kernel;
  const SmallPtrSet<Function*, 16> parts =
      parts_of_kernel(module, is_large ? Allowed::queries : Allowed::nothing_of_kernel);
  for (Function& function : module) {
    if (&function == &kernel) continue; // it may be `optnone`, which requires `noinline`
    // Checks see only the kernel's own code, so `noinline` is ignored if there are checks. limit_size() may
    // add it again to large functions, which are then not checked.
    if (parts.contains(&function) || (has_checks && !function.isDeclaration())) ignore_noinline(function);
  }
  if (is_large) limit_size(module, kernel, parts, sizes);
  for (Function& function : module) {
    if (function.hasFnAttribute(metadata::image_call)) function.addFnAttr(Attribute::NoInline);
    if (function.isDeclaration() || &function == &kernel || function.hasFnAttribute(Attribute::NoInline))
      continue;
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace hostcl::compiler
