#pragma once

// Ranges and low zero bits of the integers that work-items compute, in LLVM's lattices ConstantRange and KnownBits. The
// results do not rely on the flags nsw and nuw, so they hold for every work-item, including lanes that are not active
// where the value is computed. The caller's assumptions about the launch are a parameter (RangeAssumptions).
//
//   %x = call i64 @__hostcl_local_id(i32 0)                   ; below the largest size of a group
//   %id = add i64 %start, %x                                  ; a global id, below 2^31 if ids_fit_31_bits
//   %row = shl i64 %x, 2                                      ; the first lane's value has 2 more low zero bits than %x
//
// Tests: compiler/tests/ranges.cpp, compiler/tests/value_properties.cpp

#include "llvm/IR/ConstantRange.h"

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// What Ranges may assume of vectors and launches.
struct RangeAssumptions {
  unsigned width = 1;              ///< number of lanes
  bool partial_sub_groups = false; ///< if false, the first lane's local id in x is a multiple of `width`
  bool ids_fit_31_bits = true;     ///< see VectoriseOptions
};

/// Answers queries under the assumptions that it was constructed with.
class Ranges {
public:
  explicit Ranges(RangeAssumptions assumptions) : assumptions_(assumptions) {}

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};

  /// The range of an integer in all lanes.
  llvm::ConstantRange of(const llvm::Value& value) const;

  /// An upper bound of an integer read as unsigned; `unbounded` for other values and for more than 64 bits.
  std::uint64_t upper_bound(const llvm::Value& value) const;

  /// A lower bound of the number of low bits that are zero in the first lane's value.
  unsigned zero_bits_of_first_lane(const llvm::Value& value) const;

  unsigned width() const { return assumptions_.width; }

private:
  RangeAssumptions assumptions_;
};

} // namespace hostcl::compiler
