#pragma once

// Which reads of a kernel come after an acquire. Work-items that read a location between the same two barriers
// read the same value, or the program has a data race, unless they have synchronised in between without the
// barriers:
//
//   call void @__hostcl_barrier(i32 2)
//   %a = load i32, ptr addrspace(1) %p             ; the same for all work-items
//   %old = atomicrmw xchg ptr %lock, i32 1 acquire
//   %b = load i32, ptr addrspace(1) %p             ; what the work-item found that had the lock before
//   call void @__hostcl_barrier(i32 2)
//   %c = load i32, ptr addrspace(1) %p             ; the same for all again
//
// A fence acquires if an atomic or volatile read comes before it; a call, if what it calls may. A barrier orders
// the memory of its flags alone. Tests: compiler/tests/acquired_reads.cpp

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

class AcquiredReads {
public:
  explicit AcquiredReads(const llvm::Function& function);

  /// Whether an acquire leads to the read without a barrier.
  bool contains(const llvm::Instruction& instruction) const { return reads_.contains(&instruction); }

private:
  llvm::DenseSet<const llvm::Instruction*> reads_;
};

} // namespace hostcl::compiler
