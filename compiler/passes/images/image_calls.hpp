#pragma once

// Specialises the library's image functions for the image formats and samplers of the launch: clones a function for
// each known combination, substitutes constants, simplifies the clone, and has it inlined. If the format or sampler is
// unknown, because the launch gave no properties or the image may be one of several, the call stays, and the function reads
// the format from the image.
//
//   before:  define spir_kernel void @k(ptr addrspace(2) %i, i64 %s) "hostcl.image_properties"="0=10b5.10d2s,1=14" {
//              call <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c)
//   after:     call <4 x float> @read.10b5.10d2s.14(ptr addrspace(2) %i, i64 %s, <2 x i32> %c)
//            define <4 x float> @read.10b5.10d2s.14(...) alwaysinline {
//              ; __hostcl_image_order() is 0x10b5, %s is 0x14
//
// Runs when the kernel is one function with private variables in registers.
//
// Test: tests/passes/images/image_calls.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ImageCallsPass : llvm::PassInfoMixin<ImageCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
