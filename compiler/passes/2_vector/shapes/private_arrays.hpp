#pragma once

// Interleaves private arrays: an array's element i of all lanes is contiguous, instead of one array after the other.
// (From an array of structures to a structure of arrays.) An access at a uniform index is then contiguous instead of a
// gather.
//
//   %a = alloca [8 x float]                              %a = alloca [8 * W * 4 x i8], !hostcl.lane_bytes 4
//   %p = getelementptr float, ptr %a, i64 %i       =>    %o = mul i64 (mul i64 %i, 4), W
//   load float, ptr %p                                   %p = getelementptr i8, ptr %a, i64 %o
//                                                        load float, ptr %p
//
// The pass applies if all accesses to an array have the same size, all addresses are multiples of it, and the array's
// address does not escape. Other arrays keep one copy per lane, one after the other.
//
// Gains: an insertion sort of 16 floats is 3.0 times as fast on an Emerald Rapids Xeon, 4.0 times on Zen 4; small
// systems of equations 7.9, the nearest of many points 2.9 times on a Xeon with AVX-512.
//
// Tests: tests/passes/2_vector/memory/vectorise_private.ll.

#include <cstdint>

namespace llvm {
class AllocaInst;
class Function;
} // namespace llvm

namespace hostcl::compiler {

void interleave_private_arrays(llvm::Function& function, unsigned width);

/// The stride in bytes from one lane's element to the next lane's in an interleaved array; 0 for other variables.
std::uint64_t interleaved_lane_bytes(const llvm::AllocaInst& variable);

/// The stride in bytes from one lane's copy of a private variable to the next lane's; for an interleaved array, from
/// element to element.
std::uint64_t copy_stride(const llvm::AllocaInst& variable);

} // namespace hostcl::compiler
