#pragma once

// Decomposes varying addresses into a uniform base and distances of the lanes that depend on uniform values only, as in
// the butterflies of a Fourier transform or a bitonic sort:
//
//   %x = xor i32 %i, %d     base  %i ^ (%d & -W)     lanes' distances from it  lane ^ (%d & W - 1)
//   %m = and i32 %i, %d           %i & %d                                      lane & %d
//
// The distances are the same in every vector of the group, so LICM hoists all values computed from them out of the
// loops around the kernel. The decomposition holds if the first lane's %i is a multiple of W and no sum wraps; both are
// tested at run time.
//
// Tests: tests/passes/2_vector/memory/vectorise_permuted_access.ll.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instruction.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace hostcl::compiler {

class AffineTests;
class Emission;
struct LinearSum;

/// The decomposition of a value: lane i's value is base + distances[i], in the arithmetic of the value's type.
struct BaseAndOffsets {
  llvm::Value* base;
  llvm::Value* distances; ///< <W x i32>; in bytes for pointers
  llvm::Value* holds;     ///< i1: the condition under which the decomposition is right
};

class LaneOffsets {
public:
  /// Properties of the distances that are known before code is written. All distances are in [low, high].
  struct Span {
    std::int64_t low = 0, high = 0;
    bool mixed = false;     ///< whether lanes may be permuted: not just affine, or an affine value masked
    std::uint64_t unit = 0; ///< all distances of an address are multiples of it; 0 if all are 0
  };

  LaneOffsets(Emission& emission, AffineTests& affine) : e_(emission), affine_(affine) {}

  /// The span of a value, found without writing code; nothing if the value cannot be decomposed.
  std::optional<Span> span(const llvm::Value* value);

  /// Writes the decomposition of a pointer that has a span, with distances that are not negative.
  BaseAndOffsets write_address_of(llvm::Value* pointer, const Span& span);

private:
  std::optional<Span> compute(const llvm::Instruction& operation);
  std::optional<Span> span_of_bits(const llvm::Instruction& operation);
  std::optional<Span> span_of_sum(const llvm::Instruction& operation, const LinearSum& sum);
  BaseAndOffsets write(llvm::Value* value);
  Span known_span(const llvm::Value* value);
  BaseAndOffsets write_new(llvm::Instruction& operation);
  BaseAndOffsets write_sum(const llvm::Instruction& operation);
  BaseAndOffsets write_split_sum(BaseAndOffsets left, llvm::Value* uniform);
  BaseAndOffsets write_bits(llvm::Instruction::BinaryOps opcode, llvm::Value* value, llvm::Value* other);
  BaseAndOffsets write_extension(llvm::Instruction& extension);
  BaseAndOffsets normalised(BaseAndOffsets pattern, const Span& span);
  llvm::Value* lanes_of(std::int64_t stride);
  llvm::Value* lanes_of(llvm::Value* uniform);

  Emission& e_;
  AffineTests& affine_;
  llvm::DenseMap<const llvm::Value*, std::optional<Span>> spans_;
  llvm::DenseMap<const llvm::Value*, BaseAndOffsets> written_;
};

} // namespace hostcl::compiler
