#pragma once

// Finds the reads of a kernel that come after an acquire. Work-items that read a location between the same two barriers
// read the same value, or the program has a data race, unless they have synchronised without a barrier in between:
//
//   call void @__hostcl_barrier(i32 2)
//   %a = load i32, ptr addrspace(1) %p             ; uniform
//   %old = atomicrmw xchg ptr %lock, i32 1 acquire
//   %b = load i32, ptr addrspace(1) %p             ; divergent: the value that the previous owner of the lock wrote
//   call void @__hostcl_barrier(i32 2)
//   %c = load i32, ptr addrspace(1) %p             ; uniform again
//
// A fence counts as an acquire if an atomic or volatile read comes before it. A call counts as an acquire if the called
// function may contain one. A barrier orders only the memory that its flags name. Tests:
// compiler/tests/acquired_reads.cpp

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

/// The reads of one function after an acquire. Constant once constructed.
class AcquiredReads {
public:
  explicit AcquiredReads(const llvm::Function& function);

  /// Whether there is a path from an acquire to the read without a barrier in between.
  bool contains(const llvm::Instruction& instruction) const { return reads_.contains(&instruction); }

private:
  llvm::DenseSet<const llvm::Instruction*> reads_;
};

} // namespace hostcl::compiler
