#pragma once

// Narrows 32-bit arithmetic on bytes and 16-bit integers, which C's integer promotion has widened, to 16 bits. A vector
// register then holds twice as many elements. The pass applies if all intermediate values fit into 16 bits, and all
// uses are truncations to 16 bits or fewer, or comparisons:
//
//   %x = zext i8 %a to i32                   %x = zext i8 %a to i16
//   %y = zext i8 %b to i32                   %y = zext i8 %b to i16
//   %d = sub i32 %x, %y                  =>  %d = sub i16 %x, %y
//   %m = call i32 @llvm.abs.i32(%d, ...)     %m = call i16 @llvm.abs.i16(%d, ...)
//   %r = trunc i32 %m to i8                  %r = trunc i16 %m to i8
//
// The range of a value follows from the ranges of its operands, never from flags; a phi has the full range, so
// arithmetic that depends on an induction variable stays wide. The pass runs twice over the kernel: first it takes all
// values as signed, then the values that are still wide as unsigned (a weighted sum of bytes whose weights add up to
// 256 needs 16 unsigned bits).
//
// In: a kernel after `canonical-indices`; later runs of instcombine keep narrow types.
// Gains on an Emerald Rapids Xeon: a sharpened image 2.0, Sobel's edges 1.7, corners 1.6, all on bytes. The other
// twelve users read images and neither gain nor lose: the median is 1.01. LLVM's TruncInstCombine does the same for
// expressions that end in one truncation.
// Test: tests/passes/prepare/narrow_integers.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct NarrowIntegersPass : llvm::PassInfoMixin<NarrowIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
