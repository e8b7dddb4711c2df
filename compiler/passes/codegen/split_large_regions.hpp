#pragma once

// Cuts code that is so long that LLVM takes quadratic time for it, by a detour that is never taken:
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
// `long-blocks`, last before code generation: blocks with many memory accesses or instructions. Instruction
// selection and the scheduler compare each access of a block with each other one, and blocks that simply
// follow each other would be put together again. In blocks of some length, conditions move to the
// instructions that need them: more of them than mask registers would be spilled, each by itself.
//
// `many-loops`, before loops are optimised: functions with many loops, as many regions between barriers are.
// For each loop, ScalarEvolution looks at the conditions of all blocks before it, as far up as blocks have a
// single predecessor.
//
// Gain: a block of 2,048 volatile updates is compiled in 6 s instead of more than 13 s (AMD EPYC, Zen 4).
//
// Test: tests/passes/codegen/split_large_regions.cl

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct LongBlocksPass : llvm::PassInfoMixin<LongBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

struct ManyLoopsPass : llvm::PassInfoMixin<ManyLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
