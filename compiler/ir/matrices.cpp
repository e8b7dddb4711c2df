#include "compiler/ir/matrices.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/InstIterator.h"

namespace hostcl::compiler {

using namespace llvm;

bool has_matrices(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    return instruction.getType()->isPointerTy() && is_call_of(instruction, Intrinsic::sub_group);
  });
}

Value* transposed(IRBuilderBase& build, Value* matrices, unsigned rows, unsigned columns) {
  const unsigned count = cast<FixedVectorType>(matrices->getType())->getNumElements();
  const unsigned size = rows * columns;
  SmallVector<int, 64> mask(count);
  // Alternates the elements of the first half and of the second half of each matrix. An element's index then has its
  // highest bit, a bit of the row, as its lowest bit. For each of these shuffles, CPUs have instructions.
  for (unsigned i = 0; i < count; ++i)
    mask[i] = int(i / size * size + i % size / 2 + i % 2 * (size / 2));
  for (unsigned bits = rows; bits > 1; bits /= 2)
    matrices = build.CreateShuffleVector(matrices, mask);
  return matrices;
}

} // namespace hostcl::compiler
