// Outlines the body of a loop that has very many inner loops, or very much code, to save compilation time. The loop
// over groups is such a loop if a kernel has many regions between barriers:
//
//   for (group = first; group != last; ++group)         for (group = first; group != last; ++group)
//     for (chunk ...) ...                          =>     k.entry.body(group, ...);
//     for (chunk ...) ...
//     ... 100 more
//
// Without it, ScalarEvolution looks, for each inner loop, at the conditions of all others in the outer loop; and values
// that are the same for all groups, such as constants in registers, would be live across all inner loops.
//
// In: the function of a range of groups. `separate-loops` runs before loops are optimised, `separate-code` before code
// generation. Test: tests/passes/3_group/separate_body.cl

#include "compiler/passes/passes.hpp"

#include "compiler/settings/switches.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::size_t most_loops = 64;
constexpr std::size_t most_instructions = 2000;
constexpr std::size_t most_inputs = 32; ///< most parameters that the new function may have

bool is_large(const Loop& loop) {
  std::size_t size = 0;
  for (const BasicBlock* block : loop.blocks())
    size += block->size();
  return size > most_instructions;
}

bool has_many_loops(const Loop& loop) {
  return loop.getLoopsInPreorder().size() > most_loops;
}

/// Moves the updates of the loop's induction variables, and their comparisons, to the end of the latch. @returns the
/// first of these instructions, or the latch's branch if there are none
Instruction* gather_counters(const Loop& loop) {
  BasicBlock& latch = *loop.getLoopLatch();
  Instruction* first = latch.getTerminator();
  SmallPtrSet<const User*, 4> gathered{first};
  for (Instruction& instruction : make_early_inc_range(drop_begin(reverse(latch)))) {
    const bool counts = !isa<PHINode>(instruction) && !instruction.mayHaveSideEffects() &&
                        !instruction.mayReadFromMemory() && !instruction.use_empty() &&
                        all_of(instruction.users(), [&](const User* user) {
                          return gathered.contains(user) ||
                                 (isa<PHINode>(user) && cast<PHINode>(user)->getParent() == loop.getHeader());
                        });
    if (!counts) continue;
    instruction.moveBefore(first->getIterator());
    gathered.insert(&instruction);
    first = &instruction;
  }
  return first;
}

/// Splits the loop into three parts: phis, body, and updates of induction variables. @returns the body's blocks, its
/// first block first
SmallVector<BasicBlock*, 64> isolate_body(Loop& loop, DominatorTree& dominators, LoopInfo& loops) {
  SplitBlock(loop.getLoopLatch(), gather_counters(loop)->getIterator(), &dominators, &loops);
  BasicBlock* header = loop.getHeader();
  BasicBlock* first = SplitBlock(header, header->getFirstNonPHIIt(), &dominators, &loops);
  SmallVector<BasicBlock*, 64> body{first};
  for (BasicBlock* block : loop.blocks())
    if (block != header && block != first && block != loop.getLoopLatch()) body.push_back(block);
  return body;
}

/// Outlines the body, if the new function needs few parameters and returns nothing.
void separate(Function& function, Loop& loop, DominatorTree& dominators, LoopInfo& loops) {
  SmallVector<BasicBlock*, 64> body = isolate_body(loop, dominators, loops);
  CodeExtractor extractor(body, &dominators, false, nullptr, nullptr, nullptr, false, false, nullptr, "body");
  SetVector<Value*> inputs, outputs;
  extractor.findInputsOutputs(inputs, outputs, {});
  if (!outputs.empty() || inputs.size() > most_inputs) return; // outputs would go through memory
  inputs.clear();
  Function* made = extractor.extractCodeRegion(CodeExtractorAnalysisCache(function), inputs, outputs);
  if (!made) return;
  for (auto [input, parameter] : zip(inputs, made->args()))
    if (const auto* argument = dyn_cast<Argument>(input)) {
      AttrBuilder known(made->getContext(), function.getAttributes().getParamAttrs(argument->getArgNo()));
      parameter.addAttrs(known);
    }
}

/// Outlines the body of one loop that exits at its latch, as the loops over groups and work-items do: a loop for which
/// `is_too_much` holds, but for no such loop inside it. @returns whether there is such a loop; the function has changed
/// then, even if the body could not be outlined
bool separate_in(Function& function, bool (*is_too_much)(const Loop&)) {
  if (function.isDeclaration()) return false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  Loop* found = nullptr;
  for (Loop* loop : loops.getLoopsInPreorder())
    if ((!found || found->contains(loop)) && exits_at_latch(*loop) && is_too_much(*loop)) found = loop;
  if (found) separate(function, *found, dominators, loops);
  return found;
}

PreservedAnalyses separate_in(Module& module, const Switches& switches, bool (*is_too_much)(const Loop&)) {
  bool changed = false;
  if (switches.is_on(Heuristic::split_large_regions))
    for (Function& function : make_early_inc_range(module))
      changed |= separate_in(function, is_too_much);
  return note_change(Heuristic::split_large_regions, changed) ? PreservedAnalyses::none()
                                                              : PreservedAnalyses::all();
}

} // namespace

PreservedAnalyses separate_loops_pass(Module& module, ModuleAnalysisManager&, const Switches& switches) {
  return separate_in(module, switches, has_many_loops);
}

PreservedAnalyses separate_code_pass(Module& module, ModuleAnalysisManager&, const Switches& switches) {
  return separate_in(module, switches, is_large);
}

} // namespace hostcl::compiler
