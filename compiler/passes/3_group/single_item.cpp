// Simplifies kernels for groups of one work-item: local ids are 0, local sizes are 1, and barriers have no effect.
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              %x = call i64 @__hostcl_local_id(i32 0)
//              call void @__hostcl_barrier(i32 1)
//              ... }
//
//   after:   define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              ... with %x = 0 }
//
// In: everything is inlined, and the kernel was not vectorised. Out: `barrier-regions` has nothing left to do.
// Tests: tests/passes/3_group/single_item*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses single_item_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function) || !kernel_shape(function).single_item) return PreservedAnalyses::all();
  return change_each(function, [](Instruction& instruction) {
    const auto intrinsic = called_intrinsic(instruction);
    if (intrinsic == Intrinsic::local_id)
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 0));
    else if (intrinsic == Intrinsic::local_size || intrinsic == Intrinsic::enqueued_local_size)
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 1));
    else if (intrinsic != Intrinsic::barrier)
      return false;
    instruction.eraseFromParent();
    return true;
  });
}

} // namespace hostcl::compiler
