#pragma once

// Facts about index arithmetic that do not depend on flags: they hold for every work-item, also for lanes
// that are not active where the value is computed. Tests: compiler/tests/index_facts.cpp

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct IndexFacts {
  unsigned width = 1;          ///< lanes; the first lane's local id in x is a multiple of it, unless
  bool split_rows = false;     ///< as VectoriseOptions has it
  bool ids_fit_31_bits = true; ///< likewise

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};

  /// An upper bound of an integer read as unsigned, or `unbounded`.
  std::uint64_t upper_bound(const llvm::Value& value, unsigned depth = 0) const;

  /// The number of low bits that are zero in the first lane's value.
  unsigned zero_bits_of_first_lane(const llvm::Value& value, unsigned depth = 0) const;
};

/// Whether `value` is group_id(d) * local_size(d) + local_id(d), with or without the global offset.
bool is_global_id(const llvm::Value& value);

} // namespace hostcl::compiler
