#pragma once

// Lowers images and samplers from opaque target types to plain values: an image becomes the address of its abi::Image,
// in constant memory, a sampler becomes an abi::Sampler (i64). Device queues and events become i64, also in arrays and
// structures. The library's image functions get the attribute hostcl.image_call, which tells image-calls the kinds of
// their parameters ('i' image, 's' sampler, '-' anything else).
//
//   before:  define <4 x float> @read(target("spirv.Image", ...) %i, target("spirv.Sampler") %s, <2 x i32> %c) {
//              %image = call ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", ...) %i)
//              %sampler = call i64 @__hostcl_sampler(target("spirv.Sampler") %s)
//   after:   define <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c) noinline "hostcl.image_call"="is-" {
//              ; %i and %s in place of %image and %sampler
//
// Runs on a kernel's module as soon as the library is linked, because LLVM's optimisations know nothing of the opaque
// types. `opaque-values` does the same for pipes.
//
// Test: tests/passes/images/image_values.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ImageValuesPass : llvm::PassInfoMixin<ImageValuesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
