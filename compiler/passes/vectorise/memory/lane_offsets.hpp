#pragma once

// Addresses in which the distances between lanes follow from uniform values alone, as in butterflies:
//
//   %x = xor i32 %i, %d     base  %i ^ (%d & -W)     lanes' distances from it  lane ^ (%d & W - 1)
//   %m = and i32 %i, %d           %i & %d                                      lane & %d
//
// The base is one value for all lanes, and the distances are the same in every vector, so that values
// computed from them move out of the loops around the kernel. All of it depends on the first lane's %i being
// a multiple of W, and on sums that do not wrap, which is tested at run time. Tests:
// tests/passes/vectorise/memory/vectorise_permuted_access.ll.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instruction.h"

#include <cstdint>
#include <optional>

namespace llvm {
class GetElementPtrInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class AffineTests;
class Emission;
struct LinearSum;

/// lane's value = base + distance of the lane, in the arithmetic of the value's type.
struct BaseAndOffsets {
  llvm::Value* base;
  llvm::Value* distances; ///< i32 for each lane; bytes for pointers
  llvm::Value* holds;     ///< i1: the condition that all of it depends on
};

class LaneOffsets {
public:
  /// Distances lie in [low, high].
  struct Span {
    std::int64_t low = 0, high = 0;
    bool mixed = false;     ///< more than bits masked out of an affine value
    std::uint64_t unit = 0; ///< bytes that divide the distances of an address; 0 divides 0 alone
    bool is_uniform() const { return low == 0 && high == 0; }
  };

  LaneOffsets(Emission& emission, AffineTests& affine) : e_(emission), affine_(affine) {}

  /// The span, found without writing code; nothing if the value has no pattern.
  std::optional<Span> span(const llvm::Value* value);

  /// Writes the pattern of a pointer that has a span, with distances that are not negative.
  BaseAndOffsets write_address_of(llvm::Value* pointer, const Span& span);

private:
  std::optional<Span> compute(const llvm::Instruction& instruction);
  std::optional<Span> span_of_binary(const llvm::Instruction& operation);
  std::optional<Span> span_of_address(const LinearSum& address);
  BaseAndOffsets write(llvm::Value* value);
  Span known_span(const llvm::Value* value);
  BaseAndOffsets write_new(llvm::Instruction& instruction);
  BaseAndOffsets write_binary(llvm::Instruction& operation);
  BaseAndOffsets write_sum(BaseAndOffsets left, llvm::Value* uniform);
  BaseAndOffsets write_bits(llvm::Instruction::BinaryOps opcode, BaseAndOffsets pattern, llvm::Value* uniform,
                            std::uint64_t reach);
  BaseAndOffsets write_extension(llvm::Instruction& extension);
  BaseAndOffsets write_address(llvm::GetElementPtrInst& address);
  BaseAndOffsets normalised(BaseAndOffsets pattern, const Span& span);
  llvm::Value* times(llvm::Value* distances, std::uint64_t factor);
  llvm::Value* lanes_of(std::int64_t stride);
  llvm::Value* lanes_of(llvm::Value* uniform);

  Emission& e_;
  AffineTests& affine_;
  llvm::DenseMap<const llvm::Value*, std::optional<Span>> spans_;
  llvm::DenseMap<const llvm::Value*, BaseAndOffsets> written_;
};

} // namespace hostcl::compiler
