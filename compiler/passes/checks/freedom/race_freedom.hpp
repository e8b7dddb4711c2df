#pragma once

// Proves that a launch of a kernel has no races, whatever the contents of memory: writes a condition on the launch's
// sizes and arguments.
//
//   a[i * n + j] = b[j]      i a global id, j < n
//
//   The strides are 4 for j and multiples of 4 * n for the parts of i. No work-item accesses the bytes of another one
//   if the strides, in ascending order, are each at least as large as everything that the smaller strides span: 4 >= 4,
//   4 * n >= 4 * (n - 1) + 4, ... The objects of a and b are disjoint. i * n + j fits a signed integer of 32 bits.
//
// An object belongs to a parameter, or is a local variable. In global memory, all accesses to an object that is written
// must have the same strides along ids. In local memory, this must hold for accesses that no barrier orders
// (unordered_accesses.hpp). Objects that are only read must be disjoint from written ones.
//
// Objects that are only accessed by atomic operations cannot have races. The results of a counter that only counts up
// are all different, as ids are: found[atomic_inc(count)] = x. The positions of pixels follow from the images'
// descriptors.
//
// A wrong proof hides a race. So every step is a condition on the launch, not an assumption, with two exceptions: loops
// whose induction variables wrap are undefined, and accesses stay in their objects, which the bounds check verifies.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Writes the condition (i1) under which a launch has no races, computed from parameters and sizes. Null if no
/// condition is found; instructions that were written until then are dead.
llvm::Value* condition_of_no_race(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses,
                                  llvm::IRBuilder<>& builder);

} // namespace hostcl::compiler
