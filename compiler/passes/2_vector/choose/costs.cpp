#include "compiler/passes/2_vector/choose/costs.hpp"

#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

Cycles InstructionCosts::of(const Instruction& instruction) const {
  Type* type = instruction.getType()->getScalarType();
  if (isa<PHINode, CastInst>(instruction) || instruction.isTerminator()) return {0, 0};
  if (type->isIntegerTy(1) || instruction.getOpcode() == Instruction::FNeg) return {0, 0};
  const bool real = type->isFloatingPointTy();
  if (!real && !type->isIntegerTy()) type = Type::getInt32Ty(instruction.getContext());
  // Calls and selects count as an operation on their type: LLVM's latencies of intrinsics are not the CPU's.
  const unsigned opcode = isa<BinaryOperator>(instruction) ? instruction.getOpcode()
                          : real                           ? unsigned{Instruction::FMul}
                                                           : unsigned{Instruction::Add};
  auto cost = [&](unsigned operation, TargetTransformInfo::TargetCostKind kind) {
    const InstructionCost found =
        target_.getArithmeticInstrCost(operation, FixedVectorType::get(type, lanes_), kind);
    return found.isValid() ? std::max(static_cast<unsigned>(found.getValue()), 1U) : 1U;
  };
  const unsigned latency = cost(opcode, TargetTransformInfo::TCK_Latency);
  // Work is measured in additions, not in cycles: LLVM's model of CPUs without AVX describes the oldest of them, which
  // start an addition every other cycle only.
  const unsigned addition =
      cost(real ? Instruction::FAdd : Instruction::Add, TargetTransformInfo::TCK_RecipThroughput);
  const unsigned work = cost(opcode, TargetTransformInfo::TCK_RecipThroughput) / addition;
  return {real ? latency : std::max(latency, integer_latency_), std::max(work, 1U)};
}

double BlockFrequencies::of(const BasicBlock& block) const {
  return static_cast<double>(frequencies_.getBlockFreq(&block).getFrequency()) /
         static_cast<double>(frequencies_.getEntryFreq().getFrequency());
}

std::int64_t bytes_of(const Instruction& access) {
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return static_cast<std::int64_t>(size.getFixedValue());
}

Operations operations_of(const Instruction& instruction) {
  if (isa<PHINode>(instruction) || is_trap_call(instruction)) return {0, 0};
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
    return isa<IntrinsicInst>(instruction) ? Operations{6, 8} : Operations{40, 8};
  default:
    return instruction.isIntDivRem() ? Operations{20, 8} : Operations{1, 1};
  }
}

} // namespace hostcl::compiler
