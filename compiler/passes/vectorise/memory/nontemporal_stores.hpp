#pragma once

// Non-temporal stores, for tiles of a large buffer that is only written, as in a transpose. The processor
// does not prefetch the next tile, so that each store would wait for its line, only to overwrite it; and
// lines one row apart fall into few sets of a cache:
//
//   store <16 x float> %x, ptr %p    =>   br (launch is large and %p is the start of a line and all lanes),
//                                            %stream, %store
//                                         stream:  store <16 x float> %x, ptr %p, align 64, !nontemporal
//
// Only stores that fill whole cache lines become non-temporal, once in each work-item, to buffers that the
// kernel does not read. Rows that go on where the last group ended are prefetched, and stay as they are,
// unless the host gains by it (Capabilities::fetches_overwritten). Where the launch is small, its result is likely
// to be read from the cache soon. Gains on Zen 4: a transpose 2.0 to 3.0, a rotated image 2.5, rows with a
// pitch 1.9, c[i] = a[i] + b[i] 1.5, bytes to floats 1.2. On an Emerald Rapids Xeon one of four users gains, a
// transpose of 64 MB 3.8. kernel-entry makes such stores
// visible to other threads. Tests: tests/passes/vectorise/memory/vectorise_nontemporal_stores.ll.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cstdint>

namespace llvm {
class LoopInfo;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

class NontemporalStores {
public:
  /// @param loops those of the emission's source
  NontemporalStores(Emission& e, const llvm::LoopInfo& loops);

  /// Writes the store by `ordinary`, and where it may be non-temporal the test and the streaming store.
  void write(const llvm::StoreInst& store, llvm::Value* values, llvm::Value* first, std::int64_t stride,
             llvm::function_ref<void()> ordinary);

private:
  Emission& e_;
  llvm::SmallPtrSet<const llvm::StoreInst*, 8> stores_;
};

} // namespace hostcl::compiler
