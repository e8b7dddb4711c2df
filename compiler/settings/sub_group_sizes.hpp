#pragma once

// The largest number of work-items in a vector, and the sub-group sizes that a kernel may require by
// intel_reqd_sub_group_size or SPIR-V's SubgroupSize. A sub-group is a vector of work-items.

#include "compiler/settings/language.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace hostcl::compiler {

/// The most lanes that a vector has.
inline constexpr unsigned largest_width = 64;

inline constexpr const char* required_sub_group_sizes = "a power of two, at most 64";

constexpr bool may_require_sub_groups_of(std::uint32_t size) {
  return std::has_single_bit(size) && size <= largest_width;
}

/// Whether a kernel may require this size on a device.
inline bool may_require_sub_groups_of(std::uint32_t size, const Language& language) {
  const auto& sizes = language.sub_group_sizes;
  return may_require_sub_groups_of(size) && (sizes.empty() || std::ranges::find(sizes, size) != sizes.end());
}

/// The sizes that a kernel may require on a device, for messages.
inline std::string sub_group_sizes_of(const Language& language) {
  if (language.sub_group_sizes.empty()) return required_sub_group_sizes;
  std::string text = "one of the sizes of " + described_device(language) + ", which are";
  for (const unsigned size : language.sub_group_sizes)
    text.append(size == language.sub_group_sizes.front() ? " " : ", ").append(std::to_string(size));
  return text;
}

} // namespace hostcl::compiler
