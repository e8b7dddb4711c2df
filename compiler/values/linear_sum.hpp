#pragma once

// Represents a linear operation as a sum of its operands. Linear forms and strides between lanes are computed from this
// sum. passes/2_vector/memory/indices.cpp does not use it: it needs the operations that do not wrap. Examples:
//
//   sub i32 %a, %b                                                   %a - %b
//   mul i64 %a, 12                                                   12 * %a
//   xor i64 %a, -1                                                   -1 * %a - 1
//   sext i32 %a to i64                                               %a, extended
//   getelementptr { i32, [4 x i16] }, ptr %p, i64 %i, i32 1, i64 %j   %p + 12 * %i + 2 * %j + 4
//
// The sum equals the operation modulo 2^n, where n is the number of bits of the operation's type, even if the operation
// wraps. So the flags `nsw` and `nuw` do not matter. The flag `disjoint` does: an `or disjoint` is an addition. A part
// with an extension stands for the extended value, for instance `sext(%a)`. The sum says nothing about how `%a` itself
// is computed: if `%a = add i32 %b, 1` may wrap, `sext(%a)` is not always `sext(%b) + 1`. Each caller that looks
// through an extension has to handle this case. Constant operands are not parts; they are added up in `constant`.
//
// Test: compiler/tests/value_properties.cpp

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Type;
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

  LinearSum& add(const llvm::Value& part, std::int64_t factor = 1, Extension extension = Extension::none);
};

/// Whether values of the type have linear sums: pointers, and integers of at most 64 bits.
bool is_number(const llvm::Type& type);

/// The sum of a linear operation whose result is_number(); nothing for all other operations.
std::optional<LinearSum> linear_sum_of(const llvm::Instruction& operation);

/// Product and sum modulo 2^64.
inline std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace hostcl::compiler
