#pragma once

// Represents a linear operation as a sum of its operands. Linear forms, strides between lanes, upper bounds and
// alignment are computed from this list. indices.cpp has a list of its own, of the operations that do not wrap. Examples:
//
//   sub i32 %a, %b                                                   %a - %b
//   mul i64 %a, 12                                                   12 * %a
//   xor i64 %a, -1                                                   -1 * %a - 1
//   sext i32 %a to i64                                               %a, extended
//   getelementptr { i32, [4 x i16] }, ptr %p, i64 %i, i32 1, i64 %j   %p + 12 * %i + 2 * %j + 4
//
// The sum equals the operation modulo 2^n, where n is the number of bits of the operation's type, even if the operation
// wraps. So `nsw` and `nuw` are not used, but only `disjoint`: an `or disjoint` is an addition. A part with an
// extension stands for the extended value, for instance `sext(%a)`. The sum says nothing about how `%a` itself is
// computed: if `%a = add i32 %b, 1` may wrap, `sext(%a)` is not always `sext(%b) + 1`. Each caller that looks through
// an extension has to handle this case. Constant operands are not parts; they are added up in `constant`.
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
