#include "compiler/passes/codegen/detours.hpp"

#include "compiler/heuristics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_accesses = 192;
constexpr std::size_t most_loops = 64, loops_together = 16;

/// A number that is 0 and that nobody knows of.
Value* unknown_zero(Function& function) {
  IRBuilder<> build(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type* type = build.getInt32Ty();
  auto* nothing = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=r,0", false);
  return build.CreateCall(nothing, {build.getInt32(0)}, "zero");
}

/// What keeps the detour apart from the way itself. It touches no memory that the kernel can see.
void write_detour(BasicBlock& detour, BasicBlock& end) {
  IRBuilder<> build(&detour);
  auto* nothing = InlineAsm::get(FunctionType::get(build.getVoidTy(), false), "", "", true);
  CallInst* call = build.CreateCall(nothing);
  call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  call->setDoesNotThrow();
  build.CreateBr(&end);
}

/// `places` come last first, so that each instruction is moved once.
PreservedAnalyses cut_before(Function& function, ArrayRef<Instruction*> places) {
  if (!is_on(Heuristic::detours) || places.empty()) return PreservedAnalyses::all();
  Value* zero = unknown_zero(function);
  for (Instruction* place : places) {
    BasicBlock* block = place->getParent();
    BasicBlock* rest = block->splitBasicBlock(place, "cut");
    BasicBlock* detour = BasicBlock::Create(function.getContext(), "detour", &function, rest);
    write_detour(*detour, *rest);
    block->getTerminator()->eraseFromParent();
    IRBuilder<> build(block);
    build.CreateCondBr(build.CreateIsNotNull(zero, "never"), detour, rest);
  }
  return PreservedAnalyses::none();
}

} // namespace

PreservedAnalyses LongBlocksPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<Instruction*, 16> places;
  for (BasicBlock& block : function) {
    unsigned accesses = 0;
    for (Instruction& instruction : block) {
      if (isa<PHINode, AllocaInst>(instruction)) continue;
      if (accesses == most_accesses) {
        places.push_back(&instruction);
        accesses = 0;
      }
      accesses += instruction.mayReadOrWriteMemory();
    }
  }
  std::reverse(places.begin(), places.end());
  return cut_before(function, places);
}

PreservedAnalyses ManyLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  SmallVector<Loop*, 4> loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  if (loops.size() <= most_loops) return PreservedAnalyses::all();
  SmallVector<Instruction*, 16> places;
  for (std::size_t i = loops_together; i < loops.size(); i += loops_together)
    if (BasicBlock* before = loops[i]->getLoopPreheader()) places.push_back(before->getTerminator());
  return cut_before(function, places);
}

} // namespace hostcl::compiler
