#include "compiler/passes/2_vector/choose/costs.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

double BlockFrequencies::of(const BasicBlock& block) const {
  return static_cast<double>(frequencies_.getBlockFreq(&block).getFrequency()) /
         static_cast<double>(frequencies_.getEntryFreq().getFrequency());
}

std::int64_t bytes_of(const Instruction& access) {
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return static_cast<std::int64_t>(size.getFixedValue());
}

Operations operations_of(const Instruction& instruction) {
  if (isa<PHINode>(instruction) || is_trap_call(instruction) || counts_executions(instruction)) return {0, 0};
  if (isa<GetElementPtrInst, CastInst, ExtractValueInst>(instruction)) return {1, 0};
  switch (instruction.getOpcode()) {
  case Instruction::Load:
  case Instruction::Store:
    return {3, 1};
  case Instruction::FDiv:
    return {8, 8};
  case Instruction::FRem:
    return {40, 8};
  case Instruction::Call:
    return isa<IntrinsicInst>(instruction) || called_maths_instruction(cast<CallInst>(instruction))
               ? Operations{6, 8}
               : Operations{40, 8};
  default:
    return instruction.isIntDivRem() ? Operations{20, 8} : Operations{1, 1};
  }
}

} // namespace hostcl::compiler
