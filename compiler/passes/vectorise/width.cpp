#include "compiler/passes/vectorise/vectorise.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

/// One vector register of the widest type that the kernel computes much with; addresses and their arithmetic
/// do not count, they mostly stay scalar.
unsigned choose_width(const Function& kernel, unsigned vector_bits) {
  unsigned by_size[65] = {};
  for (const BasicBlock& block : kernel) {
    for (const Instruction& instruction : block) {
      Type* type = instruction.getType();
      if (isa<StoreInst>(instruction)) type = instruction.getOperand(0)->getType();
      bool counts = isa<LoadInst, StoreInst>(instruction) ||
                    (isa<BinaryOperator>(instruction) && !type->isIntOrIntVectorTy(64)) ||
                    type->isFPOrFPVectorTy();
      unsigned bits = type->getScalarSizeInBits();
      if (counts && bits >= 8 && bits <= 64) ++by_size[bits];
    }
  }
  const unsigned wide = by_size[64], middle = by_size[32];
  const unsigned bits = wide > middle ? 64 : 32;
  return std::clamp(vector_bits / bits, 4u, 16u);
}

bool uses_sub_groups(const Function& kernel) {
  for (const Instruction& instruction : instructions(kernel)) {
    auto kind = called_intrinsic(instruction);
    if (kind == hostcl::compiler::Intrinsic::sub_group ||
        kind == hostcl::compiler::Intrinsic::sub_group_lane ||
        kind == hostcl::compiler::Intrinsic::sub_group_width)
      return true;
  }
  return false;
}

} // namespace hostcl::compiler
