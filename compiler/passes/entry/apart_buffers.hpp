#pragma once

// Uses what a launch knows: that the buffers of its arguments do not overlap. Accesses whose addresses are computed from
// arguments get scopes, one for each argument, by which LLVM's alias analysis tells them apart:
//
//   before: %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
//           %x = load i32, ptr addrspace(1) %p
//           store i32 %x, ptr addrspace(1) %b
//   after:  %x = load ..., !alias.scope !{of a}, !noalias !{of b}
//           store ...,     !alias.scope !{of b}, !noalias !{of a}
//
// An address that is computed from an argument stays in the object that the argument points into, for OpenCL C defines
// no other access. It has the scopes of all arguments that it may be computed from (phis and selections). An address
// that was loaded, or made of a number, may point anywhere: such accesses get no scope, and so none is taken to be apart
// from them. This is why arguments do not become `noalias`, which would promise something about loaded pointers as well.
//
// LLVM takes a number for a pointer that has the same number (a buffer may begin where another ends), and then
// computes it from the wrong argument. So the fact is not used for kernels that convert between the two, and for those
// that compare pointers into different buffers.
//
// Gains on an Emerald Rapids Xeon: histograms in a loop, whose updates are then deferred, 12 and 33; counts of rows, whose
// updates are hoisted out of their loop, some 30 (on 2 busy cores). The other eleven users gain nothing: the median is 1.0.
//
// In: a kernel of one work-item or of a vector, while it has its arguments. Tests: tests/passes/entry/apart_buffers*.ll,
// tests/kernels/launches/overlapping_buffers*.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Marks a kernel that converts pointers to numbers or back, in a function that it calls as well.
/// @param module of the kernel alone, before LLVM's passes have folded conversions
void note_numbers_of_pointers(const llvm::Module& module, llvm::Function& kernel);

/// Whether code for launches whose buffers do not overlap may be faster: a loop has an access to one buffer and a store
/// or an update of another, and no `restrict` says that they are apart.
bool gains_if_apart(const llvm::Function& kernel);

struct ApartBuffersPass : llvm::PassInfoMixin<ApartBuffersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
