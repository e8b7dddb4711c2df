#pragma once

// Replaces loops that update memory by compare-exchange by one atomic operation, if there is an operation that does the
// same. Kernels before OpenCL 2.0 have to write the atomic addition of floats as such a loop:
//
//   loop:
//     %expected = phi i32 [ %first, %before ], [ %seen, %loop ]
//     %sum = fadd float (bitcast %expected), %x    =>    %old = atomicrmw fadd ptr %p, float %x monotonic
//     %pair = cmpxchg ptr %p, i32 %expected, i32 (bitcast %sum) monotonic monotonic
//     %seen = extractvalue %pair, 0
//     br (extractvalue %pair, 1), %done, %loop
//
// `expected` may also be loaded from %p in each iteration. That load is removed, even if it is volatile, and so is the
// load of %first: the atomic operation reads the memory. %x may be computed or loaded from ordinary memory in the loop.
//
// Later passes may combine the operations of several work-items, except those that round: metadata `hostcl.serial` says
// that each operand must be applied to memory by itself, in some order, as the kernel asks for.
//
// Gain on 16 cores of an Emerald Rapids Xeon: additions of floats to 256 cells are 4.0 times as fast. Gains on one core
// of a Xeon with AVX-512: one sum of floats 105, sums of floats in local memory 2.0, weighted histograms 1.7.
//
// In: a kernel in SSA form. Tests: tests/passes/atomics/exchange_loops*.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class AtomicRMWInst;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the update's operands must not be combined with each other before they are applied to memory.
bool is_serial(const llvm::AtomicRMWInst& update);

} // namespace hostcl::compiler
