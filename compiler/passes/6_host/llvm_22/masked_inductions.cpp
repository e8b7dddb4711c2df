// Works around a fault of LLVM 22's loop vectoriser (llvm/llvm-project#191382, mended in LLVM 23 by #191498): hides masked
// and narrowed values of loops from ScalarEvolution. ScalarEvolution sees `%i & 3` as an induction variable of two bits,
// and assumes that it does not wrap, if a test at run time says so. But the vectoriser drops this test if the same loop
// has a test that a wider induction variable does not wrap, from which the former does not follow. So `a[(uint)((i & 3) +
// i)]` is read with a stride of two elements:
//
//   before:  %m = and i64 %i, 3
//   after:   %m = and i64 %i, 3
//            %m.opaque = freeze i64 %m
//
// A test that holds for so few iterations is never worth a vector loop, so nothing is lost.
//
// In: kernels that were not vectorised, before LLVM's vectorisers. Out: induction variables that are masked or truncated
// to less than 32 bits are frozen.
// When the run FAULT of tests/passes/6_host/llvm_22/masked_inductions_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned fewest_bits = 32;

/// Whether ScalarEvolution sees the instruction as an integer of less than 32 bits, extended to its type.
bool is_narrowed(const Instruction& instruction) {
  using namespace PatternMatch;
  const APInt* mask = nullptr;
  if (isa<TruncInst>(instruction))
    return instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() > 1 &&
           instruction.getType()->getIntegerBitWidth() < fewest_bits;
  return match(&instruction, m_And(m_Value(), m_APInt(mask))) && !instruction.getType()->isVectorTy() &&
         mask->getActiveBits() < fewest_bits;
}

} // namespace

PreservedAnalyses masked_inductions_pass(Function& function, FunctionAnalysisManager& analyses) {
  ScalarEvolution& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<Instruction*, 8> narrowed;
  for (Instruction& instruction : instructions(function))
    if (is_narrowed(instruction) && isa<SCEVAddRecExpr>(evolution.getSCEV(instruction.getOperand(0))))
      narrowed.push_back(&instruction);
  for (Instruction* instruction : narrowed) {
    auto* opaque = new FreezeInst(instruction, instruction->getName() + ".opaque",
                                  std::next(instruction->getIterator()));
    instruction->replaceUsesWithIf(opaque, [&](const Use& use) { return use.getUser() != opaque; });
    evolution.forgetValue(instruction);
  }
  return all_but_values(!narrowed.empty());
}

} // namespace hostcl::compiler
