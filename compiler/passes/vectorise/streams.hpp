#pragma once

// Stores past the caches. A kernel that only writes a large buffer gains nothing from having it cached, and
// loses by reading each line before it is overwritten:
//
//   store <16 x float> %x, ptr %p    =>   br (launch is large and %p is the start of a line and all lanes),
//                                            %stream, %store
//                                         stream:  store <16 x float> %x, ptr %p, align 64, !nontemporal
//
// Only what fills whole cache lines goes this way, once in each work-item, to buffers that the kernel does
// not read. Where the launch is small, its result is likely to be read from the cache soon. kernel-entry
// makes such stores visible to other threads. Tests: tests/passes/vectorise_streams.ll.

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
llvm::SmallPtrSet<const llvm::StoreInst*, 8> find_streams(const llvm::Function& function,
                                                          const llvm::LoopInfo& loops);

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
