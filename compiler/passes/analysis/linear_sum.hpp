#pragma once

// What an operation is as a sum of its operands. This is the one list of operations that are linear; forms of
// addresses, distances between lanes, bounds and alignment are all computed from it:
//
//   sub i32 %a, %b                                                   %a - %b
//   mul i64 %a, 12                                                   12 * %a
//   xor i64 %a, -1                                                   -1 * %a - 1
//   sext i32 %a to i64                                               %a, extended
//   getelementptr { i32, [4 x i16] }, ptr %p, i64 %i, i32 1, i64 %j   %p + 12 * %i + 2 * %j + 4
//
// A sum is exact modulo two to the bits of the operation's type, whatever wraps: no flag but `disjoint` is asked.
// A part that is extended stands for the extended number, which does not grow as the part does where that wraps;
// each asker decides what it makes of that. Constants have no part of their own.
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

struct LinearPart {
  const llvm::Value* value = nullptr;
  std::int64_t factor = 0; ///< in bytes for a pointer
  Extension extension = Extension::none;
};

struct LinearSum {
  llvm::SmallVector<LinearPart, 4> parts; ///< the base first for an address
  std::int64_t constant = 0;
};

/// The sum that an operation on integers of at most 64 bits or pointers is; nothing for all other operations.
std::optional<LinearSum> linear_sum_of(const llvm::Instruction& operation);

/// Whether an address lies a multiple of `unit` bytes after the pointer that it is computed from.
bool moves_in_units(const llvm::GEPOperator& address, const llvm::DataLayout& layout, std::uint64_t unit);

/// The product and the sum modulo 2^64.
inline std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace hostcl::compiler
