#pragma once

// Atomics of neighbouring work-items on neighbouring words, as in `atomic_add(&totals[i], counts[i])`: two
// words at a time by one compare-exchange of 64 bits, which takes about as long as one locked addition.
//
//   atomicrmw add ptr %p, i32 %x
//     =>
//   pair:     %k = phi ...                              ; number of the pair, from the 64 bits around %p on
//   active:   %first = load atomic i64 (%start + 8 * %k)
//   attempt:  %seen = phi [%first, %active], [%found, %attempt]
//             %sum = add <2 x i32> %seen, %x of the two lanes
//             cmpxchg (%start + 8 * %k), %seen, (select %mask of the two lanes, %sum, %seen)
//   next:     ...
//
// If %p is not aligned to 64 bits, the first pair is the word before it and the first lane's. Other words of
// a pair, of inactive lanes or of none, are written back unchanged, which is unobservable.
//
// Tests: tests/passes/vectorise_row_updates.ll

namespace llvm {
class AtomicRMWInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Whether the lanes update consecutive words of global memory, and no deferral table collects the updates
/// (see deferrable_atomics.hpp).
bool updates_row(const Emission& e, const llvm::AtomicRMWInst& atomic);

/// @returns the words' old values
llvm::Value* emit_row_update(Emission& e, llvm::AtomicRMWInst& atomic);

} // namespace hostcl::compiler
