#pragma once

// Canonicalises address computations of SPIR-V that its producer has optimised, so that the vectoriser sees the indices
// that the source had. There are four parts.
//
// 1. Pointer induction variables become a base pointer plus an integer induction variable, and a decrementing counter
//    becomes an incrementing one (the reverse of LLVM's loop-strength reduction, pointer_inductions.cpp):
//
//   %row = getelementptr float, ptr %a, i64 %i         loop:
//   loop:                                                %k = phi i64 [ 0, ... ], [ %k.next, %loop ]
//     %p = phi ptr [ %row, ... ], [ %p.next, %loop ]     %p = getelementptr [4 x i8], ptr %row, i64 %k
//     %c = phi i64 [ %n, ... ], [ %c.next, %loop ]  =>   %x = load float, ptr %p
//     %x = load float, ptr %p                            %k.next = add i64 %k, 1
//     %p.next = getelementptr i8, ptr %p, i64 4          %done = icmp eq i64 %k.next, %n
//     %c.next = add i64 %c, -1
//     %done = icmp eq i64 %c.next, 0
//
//    If the start index is divergent, as in `for (i = start[id]; i < end[id]; ++i)`, the integer
//    induction variable begins at that index instead of 0.
//
// 2. Sign and zero extensions of 32-bit integers, which LLVM writes as shifts or masks, become extensions again, and a
//    64-bit induction variable of which only the low 32 bits are used becomes a 32-bit one (narrow_inductions.cpp):
//
//   %up = shl i64 %id, 32                                %id32 = trunc i64 %id to i32
//   %offset = ashr exact i64 %up, 30                =>   %i = sext i32 %id32 to i64
//   %p = getelementptr i8, ptr %a, i64 %offset           %p = getelementptr i32, ptr %a, i64 %i
//
// 3. A mask that LLVM made of a sign extension, because a branch excludes negative values, becomes the extension again:
//    after `int i = get_global_id(0); if (i > 0 && ...)`, `and i64 %id, 2147483647` is the sign extension of i.
//
// 4. A linear index that the program splits into coordinates and then joins again is used as it is: with x = i % w and
//    y = i / w, the sum y * w + x is i. One of the two divisions remains, or none.
//
// All rewrites are exact in 64-bit arithmetic, or in 32-bit arithmetic if only 32 bits are used. The pass adds
// nuw and nsw only where they follow: to the shift of an extended value, and to a 32-bit induction variable with a
// known end. Runs after the last instcombine before the vectoriser; a later instcombine would write the shifts again.
//
// Gains: on Zen 4 without AVX-512, SPIR-V of clang -O2 gains 7 for a naive matrix product and 5 for a sparse one, which
// are then as fast as from source; a stencil with a lower bound for its int index gains 3.6 on a Rocket Lake Xeon.
//
// Tests: tests/passes/prepare/canonical_indices*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CanonicalIndicesPass : llvm::PassInfoMixin<CanonicalIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
