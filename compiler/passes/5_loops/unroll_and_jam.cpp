// Unroll and jam of the loop over rows of a work-group: rows that load the same vectors run their inner loops together.
//
//   for each y of the group                  for each four y of the group
//     for k: sum += a[y][k] * b[k][0..15] =>   for k: b = b[k][0..15]; sum0 += a[y][k] * b; sum1 += ...
//     c[y][0..15] = sum                        c[y][0..15] = sum0; c[y+1][0..15] = sum1; ...
//
// Each shared vector is loaded once for several rows, and the rows' sums are independent dependence chains. Work-items
// between two barriers may run in any order, so the pass needs no dependence analysis. It requires that the loop is one
// over work-items (metadata metadata::items), that the rows access no private memory, which they would share, that they
// have no atomics or calls, and that no value other than induction variables passes from one row to the next. Guards on
// the row's number, such as `if (y < height)`, are first decided for all rows of a group at once (row_guards.hpp). The
// transformation itself is LLVM's UnrollAndJamLoop().
//
// Gains on an Emerald Rapids Xeon: sgemm_naive 2.4, smaller products of matrices 2.8 times as fast; a matrix times its
// own transpose, whose rows share gathers, 4.
//
// In: the function of a range of groups, for this machine, after loops have been simplified.
// Tests: tests/passes/5_loops/unroll_and_jam*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/5_loops/row_guards.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/loop_nest.hpp"

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
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include <algorithm>
#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_rows = 4, most_rows_that_gather = 8;
constexpr unsigned most_instructions = 100; ///< of one row

/// Whether the instruction allows interleaving of rows: not an atomic, not a call, no access of private memory.
bool may_interleave(const Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory()) return !isa<AllocaInst>(instruction);
  if (instruction.hasMetadata(LLVMContext::MD_invariant_load)) return true;
  if (instruction.isAtomic() || instruction.isVolatile()) return false;
  const Value* address = getLoadStorePointerOperand(&instruction);
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->isAssumeLikeIntrinsic()) return true;
    address = vector_source(*call);
    if (call->getIntrinsicID() == Intrinsic::masked_store) address = call->getArgOperand(1);
  }
  return address && address->getType()->getScalarType()->getPointerAddressSpace() != private_space;
}

/// The nest of a loop over rows whose inner loop loads vectors that all rows share, if all instructions allow
/// interleaving; nothing otherwise.
std::optional<LoopNest> nest_to_jam(Loop& rows) {
  const auto nest = LoopNest::of(rows);
  if (!nest || nest->shared_bytes() == 0) return std::nullopt;
  std::size_t instructions = 0;
  for (const BasicBlock* block : rows.blocks()) {
    instructions += block->size();
    if (instructions > most_instructions || !all_of(*block, may_interleave)) return std::nullopt;
  }
  return nest;
}

bool has_nest_to_jam(Loop& rows) {
  return nest_to_jam(rows).has_value();
}

/// The number of rows for which the vectors of the inner loop's recurrences fit into half of the registers.
unsigned rows_in_registers(const BasicBlock& body, const TargetTransformInfo& target) {
  const auto bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const unsigned registers = target.getNumberOfRegisters(target.getRegisterClassForType(true)) / 2;
  unsigned carried = 0;
  for (const PHINode& phi : body.phis())
    if (phi.getType()->isVectorTy())
      carried +=
          static_cast<unsigned>(divideCeil(phi.getType()->getPrimitiveSizeInBits().getFixedValue(), bits));
  const unsigned most = any_of(body, is_gather) ? most_rows_that_gather : most_rows;
  return std::bit_floor(std::clamp(registers / std::max(carried, 1u), 1u, most));
}

/// Whether the nest has no branches: each row runs the inner loop exactly once.
bool has_no_branches(const LoopNest& nest) {
  return nest.header == nest.entry && exits_at_latch(nest.rows) &&
         nest.inner.getExitingBlock() == nest.body && nest.only_counts();
}

bool jam(const LoopNest& nest, FunctionAnalysisManager& analyses) {
  if (!has_no_branches(nest)) return false;
  Function& function = *nest.header->getParent();
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& target = analyses.getResult<TargetIRAnalysis>(function);
  const unsigned count = rows_in_registers(*nest.body, target);
  if (count < 2) return false;
  formLCSSARecursively(nest.rows, dominators, &loops, &evolution);
  const LoopUnrollResult result =
      UnrollAndJamLoop(&nest.rows, count, /*TripCount=*/0, /*TripMultiple=*/1, /*UnrollRemainder=*/false,
                       &loops, &evolution, &dominators, &analyses.getResult<AssumptionAnalysis>(function),
                       &target, &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  return note_change(Heuristic::unroll_and_jam, result != LoopUnrollResult::Unmodified);
}

/// Versions a loop over rows by its guards (row_guards.hpp), if it has any.
bool decide_guards(const LoopNest& nest, FunctionAnalysisManager& analyses) {
  Function& function = *nest.header->getParent();
  return !has_no_branches(nest) && !is_used_outside(nest.rows) &&
         decide_guards_before(nest, analyses.getResult<LoopAnalysis>(function),
                              analyses.getResult<DominatorTreeAnalysis>(function),
                              analyses.getResult<ScalarEvolutionAnalysis>(function));
}

/// Changes the nests of the function whose inner loop has the same trip count in all rows. @returns whether any has
/// changed; all analyses are invalid then
bool change_nests(Function& function, FunctionAnalysisManager& analyses,
                  bool (*change)(const LoopNest&, FunctionAnalysisManager&)) {
  bool changed = false;
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const auto all = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  for (Loop* loop : all)
    if (const auto nest = nest_to_jam(*loop); nest && nest->has_uniform_trip_count(evolution))
      changed |= change(*nest, analyses);
  if (changed) analyses.invalidate(function, PreservedAnalyses::none());
  return changed;
}

/// Passes that clean up after guards were removed: they hoist code that has become loop-invariant, such as masks.
FunctionPassManager lifting_from_rows() {
  FunctionPassManager passes;
  passes.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(deciding_before_rows(has_nest_to_jam));
  return passes;
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

} // namespace

PreservedAnalyses unroll_and_jam_pass(Function& function, FunctionAnalysisManager& analyses,
                                      const Switches& switches) {
  const auto loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  if (!switches.is_on(Heuristic::unroll_and_jam) ||
      none_of(loops, [](Loop* loop) { return has_nest_to_jam(*loop); }))
    return PreservedAnalyses::all();
  deciding_before_rows(has_nest_to_jam).run(function, analyses);
  if (change_nests(function, analyses, decide_guards)) lifting_from_rows().run(function, analyses);
  if (change_nests(function, analyses, jam)) cleaning_up().run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
