#pragma once

// Stores to places that an atomic has handed out, as in `out[atomic_inc(count)] = x`. The active lanes'
// elements are consecutive in memory, from the place that the host atomic returns:
//
//   %old = atomicrmw add ptr %count, i32 1         %first = atomicrmw add ptr %count, i32 %active
//   %p = getelementptr i32, ptr %out, %old    =>   %p = getelementptr i32, ptr %out, %first
//   store i32 %x, ptr %p                           %r = compress %x, %mask
//                                                  masked.store %r, %p, (lane < %active)
//
// CPUs store compressed vectors themselves, but Zen 4 takes ten times as long for that as for the two steps,
// which gain 1.7 where two arrays of particles are compacted and 2.0 where a frontier of a graph is listed.
// Where lanes have become inactive since the atomic, or an index wraps between lanes, the store is scattered.
// Tests: tests/passes/vectorise/memory/vectorise_append_stores.ll.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class AtomicRMWInst;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

class AppendStores {
public:
  explicit AppendStores(Emission& e) : e_(e) {}

  /// The active lanes get consecutive numbers from the atomic, from `first` on.
  void hand_out(const llvm::AtomicRMWInst& atomic, llvm::Value* first);

  /// Writes the store if its address is one that an atomic has handed out, with `scattered` as the alternative
  /// when that does not hold.
  bool write(llvm::StoreInst& store, llvm::function_ref<void()> scattered);

private:
  /// The numbers that the active lanes of `mask` got from an atomic: consecutive ones from `first` on.
  struct Places {
    llvm::Value *first, *mask;
  };
  const llvm::AtomicRMWInst* origin(const llvm::Value* number) const;

  Emission& e_;
  llvm::DenseMap<const llvm::AtomicRMWInst*, Places> places_;
};

} // namespace hostcl::compiler
