#pragma once

// Makes stores to large buffers that are only written non-temporal, as in a transpose. An ordinary store waits until
// its cache line has been read from memory, only to overwrite it; and if consecutive stores are far apart, the
// processor does not prefetch the lines, and lines of a tile that are one matrix row apart compete for few sets of a
// cache.
//
//   store <16 x float> %x, ptr %p    =>   br (launch is large and %p is the start of a line and all lanes),
//                                            %stream, %store
//                                         stream:  store <16 x float> %x, ptr %p, align 64, !nontemporal
//
// A store becomes non-temporal if it fills whole cache lines, is executed once in each work-item, and its buffer or image
// is not read by the kernel. Contiguous stores that continue where the last group ended are prefetched, and stay ordinary
// unless the CPU gains by non-temporal stores there as well (Capabilities::fetches_overwritten). If the launch is
// small, its result is likely to be read from the cache soon, so the store stays ordinary.
//
// `kernel-entry` adds the fence that makes non-temporal stores visible to other threads.
//
// Gains on Zen 4: a transpose 2.0 to 3.0, a rotated image 2.5, rows with a pitch 1.9, c[i] = a[i] + b[i] 1.5, bytes to
// floats 1.2. On Zen 5, a copy of an image of 64 MiB 1.27. On an Emerald Rapids Xeon one of four users gains, a transpose
// of 64 MB 3.8.
//
// Tests: tests/passes/2_vector/memory/vectorise_nontemporal_stores.ll.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cstdint>

namespace llvm {
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

class NontemporalStores {
public:
  explicit NontemporalStores(Emission& e);

  /// Writes a contiguous store by `ordinary`. If the store may be non-temporal, writes the test and the non-temporal
  /// store, too.
  void write(const llvm::StoreInst& store, llvm::Value* values, llvm::Value* first, std::int64_t stride,
             llvm::function_ref<void()> ordinary);

private:
  Emission& e_;
  llvm::SmallPtrSet<const llvm::StoreInst*, 8> stores_;
};

} // namespace hostcl::compiler
