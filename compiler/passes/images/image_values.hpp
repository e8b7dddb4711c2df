#pragma once

// Images and samplers become plain values: an image the address of its abi::Image, in the constant address
// space, and a sampler an abi::Sampler. Runs on a kernel's module as soon as the library is linked, because
// LLVM knows nothing of the opaque types. Queues and events on the device become numbers of 64 bits, also in
// arrays and structures. The library's functions on images are marked with what their
// parameters are ('i' image, 's' sampler, '-' anything else), so that image-calls finds them.
//
//   before:  define <4 x float> @read(target("spirv.Image", ...) %i, target("spirv.Sampler") %s, <2 x i32> %c) {
//              %image = call ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", ...) %i)
//              %sampler = call i64 @__hostcl_sampler(target("spirv.Sampler") %s)
//   after:   define <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c) noinline "hostcl.image_call"="is-" {
//              ; %i and %s in place of %image and %sampler
//
// Test: tests/passes/images/image_values.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ImageValuesPass : llvm::PassInfoMixin<ImageValuesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
