#pragma once

// Sizes of work-groups that nobody has given.

#include "compiler/abi/launch.hpp"

#include <array>
#include <cstdint>

namespace hostcl::abi {

/// What a group should be like.
struct GroupWish {
  unsigned along = 0;        ///< the dimension that lanes lie along
  std::uint64_t width = 1;   ///< work-items of a vector
  std::uint64_t limit = 1;   ///< work-items of the group, at least `width`
  bool has_to_divide = true; ///< the global size, in each dimension
};

/// The size of groups that are long along one dimension, and fill up with rows of the others.
std::array<std::uint64_t, 3> long_group(const NDRange& launch, const GroupWish& wish);

} // namespace hostcl::abi
