#pragma once

// Replaces gathers and scatters by contiguous accesses and permutations, if the address can be decomposed into a
// uniform base and lane distances (lane_offsets.hpp), and all lanes' elements are in a window of one or two vectors
// from the base on, each at a separate position:
//
//   load:   %r = masked.load %base, %used             store:  %r = permute %values, %lanes
//           %v = permute %r, %distances                       masked.store %r, %base, %used
//
// %lanes is the lane that belongs to each position of the window, and %used whether there is such a lane. Both depend
// on uniform values only, so they are loop-invariant. If the lanes turn out to be contiguous at run time, an ordinary
// wide access is made.
//
// Gains on an Emerald Rapids Xeon with AVX2 code: 1.5 in the median of its six users, from 1.2 for a ray tracer to 12.8
// for steps of a bitonic sort. With AVX-512, whose gathers from the cache are fast: 1.1 in the median, a bitonic sort
// in global memory 2.1, a Fourier transform in local memory 1.2. One loss is known, with AVX-512: a bitonic sort in
// local memory takes 3.3 times as long.
//
// Tests: tests/passes/2_vector/memory/vectorise_permuted_access.ll.

#include "compiler/passes/2_vector/memory/lane_offsets.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class LoadInst;
class StoreInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// The code that describes a window. All values are in elements, not bytes.
struct Window {
  unsigned bytes;                                 ///< of an element
  llvm::Value* holds;                             ///< i1: the window describes the access
  llvm::Value* is_row;                            ///< i1: the lanes' elements are contiguous
  llvm::Value* base;                              ///< address of the window
  llvm::Value* first;                             ///< address of the first lane's element
  llvm::Value* distances;                         ///< each lane's position in the window
  llvm::SmallVector<llvm::Value*, 2> lanes, used; ///< for each position; one vector for each row (vector)
};

/// The windows of a kernel. All accesses of the same size at the same address share a window.
class PermutedAccesses {
public:
  PermutedAccesses(Emission& e, AffineTests& affine) : e_(e), offsets_(e, affine) {}

  /// The window of a load's or store's address; null if the address cannot be decomposed, or the CPU has no permutation
  /// for the element size.
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
