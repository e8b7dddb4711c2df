#pragma once

// The cross-work-item vectoriser: one call of the kernel computes `width` work-items that are consecutive in
// x.
//
//   define void @scale(ptr %a) {                       define void @scale(ptr %a) "hostcl.width"="8" {
//                                                        %m = call <8 x i1> @__hostcl_lane_mask()
//     %i = call i64 @__hostcl_local_id(i32 0)            %i = call i64 @__hostcl_local_id(i32 0)  ; of lane 0
//     %p = getelementptr float, ptr %a, i64 %i    =>     %p = getelementptr float, ptr %a, i64 %i
//     %x = load float, ptr %p                            %x = masked.load <8 x float> %p, %m
//     %y = fmul float %x, 2.0                            %y = fmul <8 x float> %x, splat 2.0
//     store float %y, ptr %p                             masked.store <8 x float> %y, %p, %m
//     ret void }                                         ret void }
//
// In: one kernel, calls inlined, address spaces of spir64, the intrinsics of docs/kernel-ir.md.
// Out: the same function for `width` items, or the same function untouched and a remark that says why.
// Steps (one file each): canonical form, forward graph, shapes, then emission: control, memory, calls.
// Tests: tests/passes/vectorise/vectorise*.ll.

#include "compiler/passes/vectorise/options.hpp"

#include "llvm/IR/PassManager.h"

#include <string>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct VectoriseOutcome {
  unsigned width = 1; ///< 1: the kernel is untouched
  std::string remark; ///< why it is untouched, with the source line where there is one
};

/// @param options with a width
VectoriseOutcome vectorise(llvm::Function& kernel, const VectoriseOptions& options);

/// Vectorises every kernel (calling convention spir_kernel) of a module; why one is not goes to the context, as a remark.
class VectorisePass : public llvm::PassInfoMixin<VectorisePass> {
public:
  explicit VectorisePass(VectoriseOptions options = {}) : options_(options) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  VectoriseOptions options_;
};

} // namespace hostcl::compiler
