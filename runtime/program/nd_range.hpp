#pragma once

// Arithmetic with the sizes of a launch.

#include "compiler/abi/launch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// Sets the local size, and the number of groups that cover the global size.
void set_local_size(abi::NDRange& range, const std::array<std::uint64_t, 3>& local);

/// An ND-range of one group of this size, for queries about machine code.
abi::NDRange single_group(std::array<std::size_t, 3> local_size);

inline std::uint64_t group_total(const abi::NDRange& range) {
  return range.group_count[0] * range.group_count[1] * range.group_count[2];
}
inline std::uint64_t items_per_group(const abi::NDRange& range) {
  return range.local_size[0] * range.local_size[1] * range.local_size[2];
}
inline std::uint64_t item_total(const abi::NDRange& range) {
  return range.global_size[0] * range.global_size[1] * range.global_size[2];
}

} // namespace hostcl::runtime
