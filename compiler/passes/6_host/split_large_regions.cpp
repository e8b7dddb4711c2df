// Splits code for which LLVM takes quadratic time, by a branch to a detour that is never taken. (LLVM would merge two
// blocks with an unconditional branch between them again.)
//
//   %x = load i32, ptr %p                 %zero = call i32 asm "", "=r,0"(i32 0)
//   ...                                   ...
//   %y = load i32, ptr %q          =>     %x = load i32, ptr %p
//   ret void                              %never = icmp ne i32 %zero, 0
//                                         br i1 %never, label %detour, label %cut
//                                       detour:
//                                         call void asm sideeffect "", ""()
//                                         br label %cut
//                                       cut:
//                                         ...
//
// `long-blocks` runs last before code generation. It splits blocks with many memory accesses or instructions, because
// instruction selection and the scheduler compare each access of a block with every other one. In long blocks it also
// moves comparisons to the instructions that use them: there are few mask registers, and the result of a comparison far
// away from its users would be spilled.
//
// `many-loops` runs before loops are optimised. It splits functions with many loops, such as kernels with many
// barriers: for each loop, ScalarEvolution looks at the conditions of all blocks before it, as long as blocks have a
// single predecessor.
//
// Gain: a block of 2,048 volatile updates is compiled in 6 s instead of more than 13 s (AMD EPYC, Zen 4).
//
// Tests: tests/passes/6_host/long_blocks.ll, many_loops.ll and split_large_regions.cl

#include "compiler/passes/passes.hpp"

#include "compiler/settings/switches.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::size_t many_instructions = 500;
constexpr unsigned most_accesses = 192;
constexpr std::uint64_t most_bits = std::uint64_t{2000} * 512; ///< sum of the results' sizes in a block
constexpr std::size_t most_loops = 64, loops_together = 16;

/// Writes an i32 that is 0 at run time, which LLVM cannot know.
Value* unknown_zero(Function& function) {
  IRBuilder<> build(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type* type = build.getInt32Ty();
  auto* nothing = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=r,0", false);
  return build.CreateCall(nothing, {build.getInt32(0)}, "zero");
}

std::uint64_t bits_of(const Instruction& instruction) {
  Type* type = instruction.getType();
  return type->isSized() ? instruction.getDataLayout().getTypeSizeInBits(type).getFixedValue() : 0;
}

/// Splits blocks before the given instructions. `places` are in reverse order, so that each instruction is moved only
/// once.
PreservedAnalyses cut_before(Function& function, ArrayRef<Instruction*> places) {
  if (places.empty()) return PreservedAnalyses::all();
  Value* zero = unknown_zero(function);
  IRBuilder<> build(function.getContext());
  // An empty inline assembly statement, which LLVM does not remove. It touches no memory that the kernel can see.
  auto* nothing = InlineAsm::get(FunctionType::get(build.getVoidTy(), false), "", "", true);
  for (Instruction* place : places) {
    build.SetInsertPoint(place);
    Instruction* detour =
        SplitBlockAndInsertIfThen(build.CreateIsNotNull(zero, "never"), place->getIterator(),
                                  /*Unreachable=*/false);
    detour->getParent()->setName("detour");
    place->getParent()->setName("cut");
    build.SetInsertPoint(detour);
    CallInst* call = build.CreateCall(nothing);
    call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    call->setDoesNotThrow();
  }
  return PreservedAnalyses::none();
}

/// Whether the instruction is a comparison with a constant, or combines conditions to a mask.
bool is_condition(const Instruction& instruction) {
  if (!instruction.getType()->isIntOrIntVectorTy(1)) return false;
  return isa<CmpInst>(instruction) ? isa<Constant>(instruction.getOperand(1))
                                   : isa<BinaryOperator, SelectInst>(instruction);
}

/// Moves conditions with a single use to the instruction that uses them. The code of a switch has the conditions of all
/// cases before all selects, more than there are mask registers. Instructions are visited in reverse order, so that
/// operands can follow.
bool move_conditions(BasicBlock& block) {
  bool moved = false;
  for (Instruction& instruction : make_early_inc_range(reverse(block))) {
    if (!is_condition(instruction) || !instruction.hasOneUse()) continue;
    auto* user = cast<Instruction>(*instruction.user_begin());
    if (isa<PHINode>(user) || user->getParent() != &block || user == instruction.getNextNode()) continue;
    instruction.moveBefore(user->getIterator());
    moved = true;
  }
  return moved;
}

/// How many memory accesses the instruction becomes in its block: for a gather or scatter without a CPU instruction,
/// such as all of bytes, one for each lane. If the mask is not constant, LLVM puts these accesses into blocks of their
/// own, so that it counts as one.
unsigned accesses_of(const Instruction& instruction, const TargetTransformInfo& target) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  const Intrinsic::ID id = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  const bool is_scatter = id == Intrinsic::masked_scatter;
  if (!is_scatter && id != Intrinsic::masked_gather) return instruction.mayReadOrWriteMemory();
  auto* type = cast<VectorType>(is_scatter ? call->getArgOperand(0)->getType() : call->getType());
  const Align align = call->getParamAlign(is_scatter ? 1 : 0).valueOrOne();
  const bool is_one =
      is_scatter
          ? target.isLegalMaskedScatter(type, align) && !target.forceScalarizeMaskedScatter(type, align)
          : target.isLegalMaskedGather(type, align) && !target.forceScalarizeMaskedGather(type, align);
  const bool is_known = isa<Constant>(call->getArgOperand(is_scatter ? 2 : 1));
  return is_one || !is_known ? 1 : type->getElementCount().getFixedValue();
}

/// Appends the instructions before which the block is to be split.
void find_places(BasicBlock& block, const TargetTransformInfo& target,
                 SmallVectorImpl<Instruction*>& places) {
  unsigned accesses = 0;
  std::uint64_t bits = 0;
  for (Instruction& instruction : block) {
    if (isa<PHINode, AllocaInst>(instruction)) continue;
    if (accesses >= most_accesses || bits >= most_bits) {
      places.push_back(&instruction);
      accesses = 0;
      bits = 0;
    }
    accesses += accesses_of(instruction, target);
    bits += std::max<std::uint64_t>(bits_of(instruction), 64);
  }
}

} // namespace

PreservedAnalyses long_blocks_pass(Function& function, FunctionAnalysisManager& analyses,
                                   const Switches& switches) {
  if (!switches.is_on(Heuristic::split_large_regions)) return PreservedAnalyses::all();
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(function);
  bool moved = false;
  SmallVector<Instruction*, 16> places;
  for (BasicBlock& block : function) {
    if (block.size() > many_instructions) moved |= move_conditions(block);
    find_places(block, target, places);
  }
  std::reverse(places.begin(), places.end());
  note_change(Heuristic::split_large_regions, !places.empty());
  PreservedAnalyses preserved = cut_before(function, places);
  return moved ? PreservedAnalyses::none() : preserved;
}

PreservedAnalyses many_loops_pass(Function& function, FunctionAnalysisManager& analyses) {
  SmallVector<Loop*, 4> loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  if (loops.size() <= most_loops) return PreservedAnalyses::all();
  SmallVector<Instruction*, 16> places;
  for (std::size_t i = loops_together; i < loops.size(); i += loops_together)
    if (BasicBlock* before = loops[i]->getLoopPreheader()) places.push_back(before->getTerminator());
  return cut_before(function, places);
}

} // namespace hostcl::compiler
