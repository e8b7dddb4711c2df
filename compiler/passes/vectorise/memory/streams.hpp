#pragma once

// Stores past the caches, for tiles of a large buffer that is only written, as in a transpose. The processor
// does not foresee where the next tile goes, so that each line would be waited for, only to be overwritten;
// and lines one row apart fall into few sets of a cache:
//
//   store <16 x float> %x, ptr %p    =>   br (launch is large and %p is the start of a line and all lanes),
//                                            %stream, %store
//                                         stream:  store <16 x float> %x, ptr %p, align 64, !nontemporal
//
// Only what fills whole cache lines goes this way, once in each work-item, to buffers that the kernel does
// not read. Rows that go on where the last group ended are fetched ahead, and stay as they are, unless the
// host gains by it (HostCpu::fetches_overwritten). Where the launch is small, its result is likely to be read
// from the cache soon. kernel-entry makes such stores visible to other threads. Tests:
// tests/passes/vectorise_streams.ll.

#include "llvm/ADT/SmallPtrSet.h"

#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Stores of a kernel that may go past the caches.
/// @param rows also those that go on where the last group ended
llvm::SmallPtrSet<const llvm::StoreInst*, 8> find_streams(const llvm::Function& function,
                                                          const llvm::LoopInfo& loops, bool rows);

/// Writes the question and the streaming store, if `store` is one that may be so; what is written between
/// construction and done() is the ordinary store.
class StreamedStore {
public:
  StreamedStore(Emission& e, const llvm::StoreInst& store, llvm::Value* values, llvm::Value* first,
                std::int64_t stride);
  void done(Emission& e);

private:
  llvm::BasicBlock* join_ = nullptr;
};

} // namespace hostcl::compiler
