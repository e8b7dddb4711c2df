#pragma once

// Represents a linear operation as a sum of its operands. This is the only list of linear operations in the tree;
// linear forms, strides between lanes, bounds and alignment are all computed from it:
//
//   sub i32 %a, %b                                                   %a - %b
//   mul i64 %a, 12                                                   12 * %a
//   xor i64 %a, -1                                                   -1 * %a - 1
//   sext i32 %a to i64                                               %a, extended
//   getelementptr { i32, [4 x i16] }, ptr %p, i64 %i, i32 1, i64 %j   %p + 12 * %i + 2 * %j + 4
//
// A sum is exact modulo two to the power of the bits of the operation's type, even if an operation wraps: no flag but
// `disjoint` is used. A part with an extension stands for the extended value. If the part wraps, the extended value
// does not follow it; each caller decides what that means. Constants are not parts but added up in `constant`.
//
// Tests: compiler/tests/addresses.cpp

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class GEPOperator;
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

enum class Extension : std::uint8_t { none, sign, zero };

/// factor * value, or factor * the extension of value.
struct LinearPart {
  const llvm::Value* value = nullptr;
  std::int64_t factor = 0; ///< in bytes for a pointer
  Extension extension = Extension::none;
};

struct LinearSum {
  llvm::SmallVector<LinearPart, 4> parts; ///< the base first for an address
  std::int64_t constant = 0;
};

/// The sum of a linear operation on pointers, or on integers of at most 64 bits; nothing for all other operations.
std::optional<LinearSum> linear_sum_of(const llvm::Instruction& operation);

/// Whether the offset of an address from its base pointer is always a multiple of `unit` bytes.
bool moves_in_units(const llvm::GEPOperator& address, const llvm::DataLayout& layout, std::uint64_t unit);

/// Product and sum modulo 2^64.
inline std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace hostcl::compiler
