// Lets other work-groups run while a loop waits for another work-item: every 256th iteration of such a loop calls the
// host.
//
//   before: while (load atomic %flag == 0) {}
//   after:  while (load atomic %flag == 0)
//             if (++turns % 256 == 0) call @__hostcl_wait(group ids x 3, ptr %state)
//
// The host may then run other groups of the launch on the thread (runtime/launch/fibers.hpp). Without this, a group
// that waits for a group that has not begun would never end. If the callback sets bit 0 of `%state`, the code that the
// pass kernel-entry writes ends the range of groups after this group, so that the host may run the rest of the range
// while this group waits. A loop that ends soon makes no call.
//
// The pass changes the loops for which the vectoriser refuses a kernel (spin.hpp), except walks over lists. The pass
// also changes loops with a barrier in which one work-item may poll for its group. Loops that are found only as
// irreducible control flow, and loops in functions that are not inlined, stay as they are.
//
// In:  one call of the kernel runs a group (barrier_regions has run), and atomics on local memory are still atomics.
// Tests: tests/passes/2_vector/control/waiting_loops.ll, tests/kernels/launches/waiting.cpp

#include "compiler/passes/2_vector/control/waiting_loops.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/2_vector/control/spin.hpp"
#include "compiler/passes/passes.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral wait_name = "__hostcl_wait";
/// Iterations between two calls of the host; a power of two. These iterations take about as long as a switch to another
/// group.
constexpr unsigned turns_per_call = 256;
/// A bit of the state of a group: a wait has begun since the last call.
constexpr unsigned wait_begins = 2;

/// The calls of a kernel, and their variables.
class Waits {
public:
  explicit Waits(Function& kernel) : kernel_(kernel), shape_(kernel_shape(kernel)) {
    IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    turns_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "turns");
    state_ = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "state");
    builder.CreateStore(builder.getInt32(0), turns_);
    builder.CreateStore(builder.getInt8(0), state_);
  }

  /// Notes at the end of the block that a wait begins.
  void begin_after(BasicBlock& block) const {
    IRBuilder<> builder(block.getTerminator());
    builder.CreateStore(builder.getInt32(0), turns_);
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt8Ty(), state_), wait_begins),
                        state_);
  }

  /// Counts an iteration at the end of the latch, and calls the host at every 256th iteration.
  void add_to(BasicBlock& latch) const {
    Instruction* end = latch.getTerminator();
    IRBuilder<> builder(end);
    Value* turn = builder.CreateAdd(builder.CreateLoad(builder.getInt32Ty(), turns_), builder.getInt32(1));
    builder.CreateStore(turn, turns_);
    Value* calls = builder.CreateIsNull(builder.CreateAnd(turn, turns_per_call - 1));
    MDNode* weights = MDBuilder(builder.getContext()).createBranchWeights(1, turns_per_call - 1);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(calls, end, /*Unreachable=*/false, weights));
    builder.SetCurrentDebugLocation(end->getDebugLoc());
    call_host(builder);
  }

private:
  void call_host(IRBuilder<>& builder) const {
    Module& module = *kernel_.getParent();
    Type* i64 = builder.getInt64Ty();
    FunctionCallee wait =
        module.getOrInsertFunction(wait_name, builder.getVoidTy(), i64, i64, i64, builder.getPtrTy());
    cast<Function>(wait.getCallee())->setDoesNotThrow();
    SmallVector<Value*, 4> arguments;
    for (unsigned dimension : {0u, 1u, 2u}) // of the launch
      arguments.push_back(builder.CreateCall(declare_intrinsic(module, Intrinsic::group_id),
                                             {builder.getInt32(shape_.renamed(dimension))}));
    arguments.push_back(state_);
    builder.CreateCall(wait, arguments);
  }

  Function& kernel_;
  KernelShape shape_;
  AllocaInst* turns_; ///< which later passes keep in a register
  AllocaInst* state_;
};

bool is_of_items(const Loop& loop) {
  return findOptionMDForLoop(&loop, metadata::items);
}

/// Whether all work-items of a group run the loop together. This holds if the loop is in no loop over work-items, and
/// either contains such loops, or the kernel has no such loops because one chunk is the whole group.
bool is_of_group(const Loop& loop, const LoopInfo& loops) {
  for (const Loop* around = &loop; around; around = around->getParentLoop())
    if (is_of_items(*around)) return false;
  const auto is_around_items = [](const auto& range) {
    return any_of(range, [](const Loop* inner) { return is_of_items(*inner); });
  };
  return is_around_items(loop.getLoopsInPreorder()) || !is_around_items(loops.getLoopsInPreorder());
}

} // namespace

bool has_waiting_loops(const Module& module) {
  const Function* wait = module.getFunction(wait_name);
  return wait && !wait->use_empty();
}

PreservedAnalyses waiting_loops_pass(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  SmallSetVector<BasicBlock*, 4> latches, entering;
  SmallPtrSet<const Loop*, 4> found;
  const bool of_item = kernel_shape(function).width == 1; // vectors of work-items do not wait (spin.hpp)
  const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    // An iteration of a loop that waits may enter inner loops that wait. Iterations of the inner loops then count as
    // iterations of the outer loop.
    const bool is_inner = found.contains(loop->getParentLoop());
    if (!may_wait(*loop, dominators, of_item, is_of_group(*loop, loops))) {
      if (is_inner) found.insert(loop);
      continue;
    }
    found.insert(loop);
    SmallVector<BasicBlock*, 2> own;
    loop->getLoopLatches(own);
    latches.insert(own.begin(), own.end());
    if (is_inner) continue;
    for (BasicBlock* block : predecessors(loop->getHeader()))
      if (!loop->contains(block)) entering.insert(block);
  }
  if (latches.empty()) return PreservedAnalyses::all();
  const Waits waits(function);
  for (BasicBlock* block : entering)
    waits.begin_after(*block);
  for (BasicBlock* latch : latches)
    waits.add_to(*latch);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
