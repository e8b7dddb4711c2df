#pragma once

// Writes stores at indices that an atomic counter has handed out, as in `out[atomic_inc(count)] = x`, as compressed
// contiguous stores. The vectoriser has made one host atomic of the lanes' atomics (atomics/atomics.cpp), so the active
// lanes' elements are contiguous in memory, from the index that the host atomic returns:
//
//   %old = atomicrmw add ptr %count, i32 1         %first = atomicrmw add ptr %count, i32 %active
//   %p = getelementptr i32, ptr %out, %old    =>   %p = getelementptr i32, ptr %out, %first
//   store i32 %x, ptr %p                           %r = compress %x, %mask
//                                                  masked.store %r, %p, (lane < %active)
//
// CPUs have instructions that compress and store in one step, but Zen 4 takes ten times as long for them as for the two
// steps. A test at run time guards the contiguous store: if lanes have become inactive since the atomic, or an index
// wraps between lanes, the store is scattered.
//
// Gains: the two steps gain 1.7 for compacting two arrays of particles, and 2.0 for listing a frontier of a graph, on
// Zen 4.
//
// Tests: tests/passes/2_vector/memory/vectorise_append_stores.ll.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class AtomicRMWInst;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// The atomic counters of one kernel, and the stores at their results.
class AppendStores {
public:
  explicit AppendStores(Emission& e) : e_(e) {}

  /// Records that the currently active lanes get consecutive numbers from the atomic, from `first` on.
  void hand_out(const llvm::AtomicRMWInst& atomic, llvm::Value* first);

  /// Writes the store if its index comes from a recorded atomic. `scattered` writes the scatter for the case that the
  /// test at run time fails. @returns whether the store was written
  bool write(llvm::StoreInst& store, llvm::function_ref<void()> scattered);

private:
  /// The lanes of `mask` got consecutive numbers from an atomic, from `first` on.
  struct Places {
    llvm::Value *first, *mask;
  };
  const llvm::AtomicRMWInst* origin(const llvm::Value* number) const;

  Emission& e_;
  llvm::DenseMap<const llvm::AtomicRMWInst*, Places> places_;
};

} // namespace hostcl::compiler
