#pragma once

// Adds noalias metadata in variants for launches in which the buffers of different arguments do not overlap. Each
// buffer argument gets an alias scope, and each access whose address is computed from arguments gets the scopes of
// these arguments, and noalias with all other arguments:
//
//   before: %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
//           %x = load i32, ptr addrspace(1) %p
//           store i32 %x, ptr addrspace(1) %b
//   after:  %x = load ..., !alias.scope !{of a}, !noalias !{of b}
//           store ...,     !alias.scope !{of b}, !noalias !{of a}
//
// An address that is computed from an argument stays in the object into which the argument points, because OpenCL C
// defines no other access. Through phis and selects, an address may be computed from several arguments and gets all of
// their scopes. An address that was loaded, or converted from an integer, may point anywhere; such an access gets no
// scope, so it may alias with all others. For the same reason arguments are not marked `noalias`, which would make a
// promise about loaded pointers as well.
//
// LLVM may replace a pointer by another one that compares equal (a buffer may begin where another one ends), and then
// compute an address from the wrong argument. So the attribute is not used for kernels that convert between pointers and
// integers, or compare pointers into different buffers.
//
// Gains on an Emerald Rapids Xeon: histograms in a loop, whose updates are then deferred, 12 and 33; counts of rows,
// whose updates are hoisted out of their loop, some 30 (on 2 busy cores). The other eleven users gain nothing: the
// median is 1.0.
//
// In: a kernel of one work-item or of a vector, while it has its arguments. Tests:
// tests/passes/4_range/disjoint_buffers*.ll, tests/kernels/launches/overlapping_buffers*.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Gives a kernel the attribute pointer_numbers if it, or a function that it calls, converts between pointers and
/// integers.
/// @param module the kernel's own module, before LLVM's passes have folded conversions
void note_numbers_of_pointers(const llvm::Module& module, llvm::Function& kernel);

/// Whether a variant for launches whose buffers do not overlap may be faster: a loop accesses one buffer and writes to
/// another one, and `restrict` does not already say that they are disjoint.
bool has_gain_if_disjoint(const llvm::Function& kernel);

} // namespace hostcl::compiler
