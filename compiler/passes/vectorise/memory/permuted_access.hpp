#pragma once

// Accesses whose lanes have a pattern (lane_offsets.hpp): all lanes' elements lie in one or two rows from
// the base on, each in a separate place. Instead of a gather or scatter,
//
//   load:   %r = masked.load %base, %used             store:  %r = permute %values, %lanes
//           %v = permute %r, %distances                       masked.store %r, %base, %used
//
// where %lanes and %used, the lane that belongs to a place and whether there is one, depend on uniform values
// only. Lanes that turn out to be consecutive are a row. Tests: tests/passes/vectorise/memory/vectorise_permuted_access.ll.
//
// Gains on an Emerald Rapids Xeon with AVX2 code: 1.5 in the median of its six users, from 1.2 for a ray tracer to 12.8 for
// steps of a bitonic sort. With AVX-512, whose gathers from the cache are fast: 1.1 in the median, a bitonic sort in global memory
// 2.1, a Fourier transform in local memory 1.2. One loss is known, with AVX-512: a bitonic sort in local memory takes 3.3 times
// as long.

#include "compiler/passes/vectorise/memory/lane_offsets.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class LoadInst;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct Window {
  unsigned bytes;                                 ///< of an element
  llvm::Value* holds;                             ///< whether the window describes the access
  llvm::Value* is_row;                            ///< whether the lanes' elements are consecutive
  llvm::Value* base;                              ///< address of the first place
  llvm::Value* first;                             ///< address of the first lane's element
  llvm::Value* distances;                         ///< each lane's place
  llvm::SmallVector<llvm::Value*, 2> lanes, used; ///< for each place of each row
};

/// The windows of a kernel: one for all accesses of one size at an address.
class PermutedAccesses {
public:
  PermutedAccesses(Emission& e, AffineTests& affine) : e_(e), offsets_(e, affine) {}

  /// The window of a load's or store's address, or null: it has no pattern, or the host no permutation for it.
  const Window* find(const llvm::Instruction& access);

private:
  Window write_window(llvm::Value* pointer, const LaneOffsets::Span& span, unsigned bytes);

  Emission& e_;
  LaneOffsets offsets_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, Window> windows_; ///< by address and size
};

llvm::Value* load_permuted(Emission& e, llvm::LoadInst& load, const Window& window);
void store_permuted(Emission& e, llvm::StoreInst& store, const Window& window);

} // namespace hostcl::compiler
