#pragma once

// The cross-work-item vectoriser (whole-function vectorisation, Karrenberg and Hack, CGO 2011): rewrites a kernel so
// that one call of it computes `width` work-items that are consecutive in x, the lanes of a vector.
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
// Out: the same function for `width` work-items; or the unchanged function and a remark that says why.
// Steps (one file each): canonical form (shapes/canonical.hpp), forward graph (shapes/forward_graph.hpp), shapes of
// values (shapes/shapes.hpp), the plan (plan/plan.hpp), then emission of code in the forms of the plan: control flow
// (control/), memory accesses (memory/), calls and other instructions (values/), atomics (atomics/). choose/ decides
// the width, and by the plan whether vectors pay at all.
// Tests: tests/passes/2_vector/vectorise*.ll.

#include "compiler/passes/2_vector/options.hpp"

#include "llvm/IR/PassManager.h"

#include <string>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct VectoriseOutcome {
  unsigned width = 1; ///< 1: the kernel is unchanged
  std::string remark; ///< why the kernel is unchanged, with the source line if it is known
};

/// Vectorises one kernel. @param options must have a width
VectoriseOutcome vectorise(llvm::Function& kernel, const VectoriseOptions& options);

/// Vectorises a kernel (calling convention spir_kernel). If a kernel is not vectorised, the reason goes to the
/// LLVMContext as a remark.
class VectorisePass : public llvm::PassInfoMixin<VectorisePass> {
public:
  explicit VectorisePass(VectoriseOptions options = {}) : options_(options) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  VectoriseOptions options_;
};

} // namespace hostcl::compiler
