#pragma once

// Finds atomic updates that may reach memory later than they are executed, at the latest when the thread has
// run its range of work-groups; passes/atomics/deferred_atomics.hpp then combines them on the way.
//
//   before: %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic
//   after:  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic, !hostcl.deferrable !0
//
// No work-item or command may observe the delay. So the update is relaxed, its result unused, and in the
// whole kernel there is
//  - no fence, no acquire or release but of local memory, no call of unknown code: nothing that would make
//    another thread see that the update is overdue;
//  - no loop that reads an atomic or volatile object: it may wait for a thread that waits for the update;
//  - no other atomic or volatile access that may touch the same memory, unless it is the same kind of update:
//    work-items may wait for each other through those;
//  - no plain access that may touch the same memory and that follows the update, in the same work-item or
//   after a barrier. One that does not follow could conflict with the update only in a data race. Label
//   propagation (as for connected components) races on purpose within one object: where both accesses are in
//   one object, the update is not marked either.
// And there must be something to combine: updates whose addresses differ between all work-items are not
// marked.
//
// Gains on 2 cores of an Emerald Rapids Xeon: a histogram 12 to 25, one maximum 25, eight counters 16. Additions and
// bits at random places of 64 KB and more take up to twice as long.
//
// It runs again for launches whose buffers are apart (entry/apart_buffers.hpp), and then finds more.
//
// In: the kernel of one work-item, in SSA form. Out: the same with marks that number the table to use; and
// the kernel's context begins with these tables if addresses vary. Tests: tests/passes/atomics/deferrable_atomics*.ll.

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace hostcl::compiler {

/// Where in the context the table of a marked update begins, in bytes, or nothing.
std::optional<std::uint64_t> deferral_table(const llvm::AtomicRMWInst& update);

struct DeferrableAtomicsPass : llvm::PassInfoMixin<DeferrableAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
