#pragma once

// Arithmetic on bytes and 16-bit numbers that C does with 32 bits is done with 16, where all values fit and
// nothing but narrow numbers and comparisons comes of it. A register holds twice as many of them:
//
//   %x = zext i8 %a to i32                   %x = zext i8 %a to i16
//   %y = zext i8 %b to i32                   %y = zext i8 %b to i16
//   %d = sub i32 %x, %y                  =>  %d = sub i16 %x, %y
//   %m = call i32 @llvm.abs.i32(%d, ...)     %m = call i16 @llvm.abs.i16(%d, ...)
//   %r = trunc i32 %m to i8                  %r = trunc i16 %m to i8
//
// The ranges of all values follow from their operands alone, not from flags, and counters of loops have none.
// Values are taken as signed first, and then, of what is left, as unsigned: weights of pixels add up to 256.
//
// In: a kernel after its indices have been made canonical; instcombine, which runs later, keeps narrow types.
// Gains on an Emerald Rapids Xeon: a sharpened image 2.0, Sobel's edges 1.7, corners 1.6, all on bytes. The other twelve
// users read images and neither gain nor lose: the median is 1.01.
// Test: tests/passes/prepare/narrow_integers.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct NarrowIntegersPass : llvm::PassInfoMixin<NarrowIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
