#pragma once

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
