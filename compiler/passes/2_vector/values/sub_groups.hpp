#pragma once

// Vectorises calls of sub-group operations. The work-items of a sub-group are the lanes of one vector, so an operation
// becomes vector instructions. Reductions, scans and votes use the active lanes only; shuffles and broadcasts read any
// lane:
//
//   %s = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
//     =>   %s = vector.reduce.add(select(%mask, %x, 0))
//   %v = call float @__hostcl_sub_group_shuffle_f32(float %y, i32 %lane ^ 1)
//     =>   %v = shufflevector %y, <1, 0, 3, 2, ...>
//
// Lane numbers out of range, for which OpenCL leaves the result undefined, are taken modulo the width.
// Tests: tests/passes/2_vector/vectorise_sub_groups.ll.

namespace llvm {
class CallInst;
}

namespace hostcl::compiler {

class Emission;

void emit_sub_group(Emission& e, llvm::CallInst& call);

} // namespace hostcl::compiler
