#include "compiler/passes/2_vector/values/split_vectors.hpp"

#include "compiler/ir/matrices.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether extractions, insertions and shuffles of elements run more often than loads and stores of whole vectors.
bool elements_part(const Function& function, const LoopInfo& loops) {
  const BlockFrequencies frequencies(function, loops);
  double moves = 0, accesses = 0;
  for (const BasicBlock& block : function) {
    const double weight = frequencies.of(block);
    for (const Instruction& instruction : block) {
      if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction))
        moves += weight;
      else if (isa<LoadInst, StoreInst>(instruction) && getLoadStoreType(&instruction)->isVectorTy())
        accesses += weight;
    }
  }
  return moves > accesses;
}

/// Whether the instruction extracts or inserts an element at a constant index that is out of range.
bool names_no_element(const Instruction& instruction) {
  if (!isa<ExtractElementInst, InsertElementInst>(instruction)) return false;
  const auto* vector = dyn_cast<FixedVectorType>(instruction.getOperand(0)->getType());
  const unsigned last = instruction.getNumOperands() - 1;
  const auto* index = dyn_cast<ConstantInt>(instruction.getOperand(last));
  return vector && index && index->getValue().uge(vector->getNumElements());
}

/// Replaces extractions and insertions out of range by poison, which is their result in LLVM's IR. LLVM 22's Scalarizer
/// reads past the end of its list of elements for them (tests/passes/6_host/llvm_22/missing_elements_fault.ll).
void drop_missing_elements(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!names_no_element(instruction)) continue;
    instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
  }
}

} // namespace

void split_short_vectors(Function& function, const LoopInfo& loops) {
  // A cooperative matrix is the same vector for all lanes, so that splitting it gains nothing.
  if (!elements_part(function, loops) || has_matrices(function)) return;
  drop_missing_elements(function);
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return TargetIRAnalysis(); });
  note_change(Heuristic::split_vectors, !ScalarizerPass().run(function, analyses).areAllPreserved());
}

} // namespace hostcl::compiler
