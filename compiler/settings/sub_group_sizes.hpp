#pragma once

// The largest number of work-items in a vector, and the sub-group sizes that a kernel may require by
// intel_reqd_sub_group_size or SPIR-V's SubgroupSize. A sub-group is a vector of work-items.

#include <bit>
#include <cstdint>

namespace hostcl::compiler {

/// The most lanes that a vector has.
inline constexpr unsigned largest_width = 64;

inline constexpr const char* required_sub_group_sizes = "a power of two, at most 64";

constexpr bool may_require_sub_groups_of(std::uint32_t size) {
  return std::has_single_bit(size) && size <= largest_width;
}

} // namespace hostcl::compiler
