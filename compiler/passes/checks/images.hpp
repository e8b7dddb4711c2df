#pragma once

// Checks image coordinates that OpenCL C requires to be inside of the image: of write_image*, and of read_image*
// without a sampler (OpenCL C 3.0, 6.15.15). Coordinates outside are reported (HOSTCL_CHECK=bounds). The call is
// performed in any case, because the library itself never accesses memory outside of the image.
//
//   before:  call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr %image, <2 x i32> %at, <4 x float> %colour)
//
//   after:   %width = call i32 @_Z15get_image_width14ocl_image2d_wo(ptr %image)
//            %outside = icmp uge i32 %x, %width                      and so on for each coordinate
//            if %outside a report (findings.hpp)
//            call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(...)
//
// Mipmap levels and sample numbers are not checked.
//
// In:  code as the front end made it, before the library is linked.
// Test: tests/passes/checks/check_images.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckImagesPass : llvm::PassInfoMixin<CheckImagesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
