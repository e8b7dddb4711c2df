#include "compiler/passes/codegen/unroll_and_jam.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/passes/codegen/row_guards.hpp"
#include "compiler/passes/metadata.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include <algorithm>
#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_rows = 4, most_rows_that_gather = 8;
constexpr unsigned most_instructions = 100; ///< of one row

bool is_gather(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::masked_gather;
}

} // namespace

const Value* vector_source(const Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return nullptr;
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getPointerOperand();
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  const bool is_load = call && (call->getIntrinsicID() == Intrinsic::masked_load || is_gather(*call));
  return is_load ? call->getArgOperand(0) : nullptr;
}

unsigned shared_bytes(const Loop& outer, const Loop& inner) {
  SmallSetVector<const Value*, 32> of_row;
  for (const PHINode& phi : outer.getHeader()->phis())
    of_row.insert(&phi);
  for (unsigned i = 0; i < of_row.size(); ++i)
    for (const User* user : of_row[i]->users())
      if (const auto* instruction = dyn_cast<Instruction>(user); instruction && outer.contains(instruction))
        of_row.insert(instruction);
  unsigned bytes = 0;
  for (const Instruction& instruction : *inner.getHeader())
    if (const Value* source = vector_source(instruction); source && !of_row.contains(source))
      bytes += static_cast<unsigned>(
          instruction.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue());
  return bytes;
}

namespace {

/// Whether the instruction allows interleaving of rows: not an atomic, not a call, no access of private memory.
bool may_interleave(const Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory()) return !isa<AllocaInst>(instruction);
  if (instruction.hasMetadata(LLVMContext::MD_invariant_load)) return true;
  const Value* address = nullptr;
  if (const auto* load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
    address = load->getPointerOperand();
  if (const auto* store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
    address = store->getPointerOperand();
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->isAssumeLikeIntrinsic()) return true;
    if (call->getIntrinsicID() == Intrinsic::masked_load || is_gather(*call))
      address = call->getArgOperand(0);
    if (call->getIntrinsicID() == Intrinsic::masked_store) address = call->getArgOperand(1);
  }
  return address && address->getType()->getScalarType()->getPointerAddressSpace() != private_space;
}

/// The only inner loop of `rows`, if it is a single block that loads vectors which all rows share, and all instructions
/// allow interleaving; null otherwise.
const Loop* inner_loop(const Loop& rows) {
  if (!findOptionMDForLoop(&rows, metadata::items) || rows.getSubLoops().size() != 1) return nullptr;
  const Loop* inner = rows.getSubLoops().front();
  if (!inner->isInnermost() || inner->getNumBlocks() != 1 || shared_bytes(rows, *inner) == 0) return nullptr;
  std::size_t instructions = 0;
  for (const BasicBlock* block : rows.blocks()) {
    instructions += block->size();
    if (instructions > most_instructions || !all_of(*block, may_interleave)) return nullptr;
  }
  return inner;
}

bool has_inner_loop(const Loop& rows) {
  return inner_loop(rows) != nullptr;
}

/// The number of rows for which the vectors of the inner loop's recurrences fit into half of the registers.
unsigned rows_in_registers(const Loop& inner, const TargetTransformInfo& target) {
  const auto bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const unsigned registers = target.getNumberOfRegisters(target.getRegisterClassForType(true)) / 2;
  unsigned carried = 0;
  for (const PHINode& phi : inner.getHeader()->phis())
    if (phi.getType()->isVectorTy())
      carried +=
          static_cast<unsigned>(divideCeil(phi.getType()->getPrimitiveSizeInBits().getFixedValue(), bits));
  const unsigned most = any_of(*inner.getHeader(), is_gather) ? most_rows_that_gather : most_rows;
  return std::bit_floor(std::clamp(registers / std::max(carried, 1u), 1u, most));
}

bool is_used_outside(const Instruction& instruction, const Loop& loop) {
  return any_of(instruction.users(),
                [&](const User* user) { return !loop.contains(cast<Instruction>(user)); });
}

bool leaves_nothing(const Loop& rows) {
  return none_of(rows.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& i) { return is_used_outside(i, rows); });
  });
}

/// Whether the loop's only recurrences are induction variables, and no value is used after the loop.
bool only_counts(const Loop& rows) {
  return leaves_nothing(rows) && all_of(rows.getHeader()->phis(), [&](const PHINode& phi) {
           const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(rows.getLoopLatch()));
           return next && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi &&
                  rows.isLoopInvariant(next->getOperand(1));
         });
}

/// Whether `rows` and `inner` are a loop nest without branches: each row runs the inner loop exactly once.
bool is_nest(const Loop& rows, const Loop& inner, const DominatorTree& dominators) {
  const BasicBlock *entry = inner.getLoopPreheader(), *latch = rows.getLoopLatch();
  return entry && latch && rows.getExitingBlock() == latch && inner.getExitingBlock() == inner.getHeader() &&
         dominators.dominates(inner.getHeader(), latch) && rows.getHeader() == entry && only_counts(rows);
}

/// Whether the inner loop has the same trip count in all rows.
bool has_uniform_trip_count(const Loop& rows, ScalarEvolution& evolution) {
  return hasIterationCountInvariantInParent(rows.getSubLoops().front(), evolution);
}

/// Unswitches the loop over rows by loop-invariant conditions, such as the test whether the inner loop has any
/// iterations.
struct DecideBeforeRowsPass : PassInfoMixin<DecideBeforeRowsPass> {
  IsWanted is_wanted;

  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses, LoopStandardAnalysisResults& results,
                        LPMUpdater& updater) {
    if (!is_wanted(loop)) return PreservedAnalyses::all();
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, results, updater);
  }
};

} // namespace

FunctionPassManager deciding_before_rows(IsWanted is_wanted) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(DecideBeforeRowsPass{{}, is_wanted}, /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  return passes;
}

namespace {

bool jam(Loop& rows, FunctionAnalysisManager& analyses) {
  Function& function = *rows.getHeader()->getParent();
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& target = analyses.getResult<TargetIRAnalysis>(function);
  const Loop* inner = inner_loop(rows);
  if (!inner || !is_nest(rows, *inner, dominators) || !has_uniform_trip_count(rows, evolution)) return false;
  const unsigned count = rows_in_registers(*inner, target);
  if (count < 2) return false;
  formLCSSARecursively(rows, dominators, &loops, &evolution);
  const LoopUnrollResult result =
      UnrollAndJamLoop(&rows, count, /*TripCount=*/0, /*TripMultiple=*/1, /*UnrollRemainder=*/false, &loops,
                       &evolution, &dominators, &analyses.getResult<AssumptionAnalysis>(function), &target,
                       &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  return note_change(Heuristic::unroll_and_jam, result != LoopUnrollResult::Unmodified);
}

struct JamRowsPass : PassInfoMixin<JamRowsPass> {
  bool& changed;

  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    const auto all = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
    for (Loop* loop : all)
      changed |= jam(*loop, analyses);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Versions loops over rows by their guards (row_guards.hpp).
struct DecideGuardsPass : PassInfoMixin<DecideGuardsPass> {
  bool& changed;

  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<LoopAnalysis>(function);
    auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    const auto all = loops.getLoopsInPreorder();
    for (Loop* loop : all)
      if (const Loop* inner = inner_loop(*loop); inner && !is_nest(*loop, *inner, dominators) &&
                                                 leaves_nothing(*loop) &&
                                                 has_uniform_trip_count(*loop, evolution))
        changed |= decide_guards_before(*loop, loops, dominators, evolution);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Passes that clean up after guards were removed: they hoist code that has become loop-invariant, such as masks.
FunctionPassManager lifting_from_rows() {
  FunctionPassManager passes;
  passes.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(deciding_before_rows(has_inner_loop));
  return passes;
}

/// Runs one pass. @returns whether it has changed anything
template <class Pass>
bool changes(Function& function, FunctionAnalysisManager& analyses) {
  bool changed = false;
  FunctionPassManager passes;
  passes.addPass(Pass{{}, changed});
  passes.run(function, analyses);
  return changed;
}

/// Passes that merge the rows' induction variables, and their loads of the same vector.
FunctionPassManager cleaning_up() {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
  passes.addPass(SimplifyCFGPass());
  return passes;
}

bool has_candidate(LoopInfo& loops) {
  return any_of(loops.getLoopsInPreorder(), [](const Loop* loop) { return has_inner_loop(*loop); });
}

} // namespace

PreservedAnalyses unroll_and_jam_pass(Function& function, FunctionAnalysisManager& analyses,
                                      const Switches& switches) {
  if (!switches.is_on(Heuristic::unroll_and_jam) ||
      !has_candidate(analyses.getResult<LoopAnalysis>(function)))
    return PreservedAnalyses::all();
  deciding_before_rows(has_inner_loop).run(function, analyses);
  if (changes<DecideGuardsPass>(function, analyses)) lifting_from_rows().run(function, analyses);
  if (changes<JamRowsPass>(function, analyses)) cleaning_up().run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
