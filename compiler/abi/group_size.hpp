#pragma once

// Sizes of work-groups that the driver chooses.

#include "compiler/abi/launch.hpp"

#include <array>
#include <cstdint>

namespace hostcl::abi {

/// The size of groups in each dimension, or none.
struct alignas(8) GroupSize {
  std::array<std::uint16_t, 3> items{};

  explicit operator bool() const { return items[0] != 0; }
  bool operator==(const GroupSize&) const = default;
};
static_assert(max_group_items <= UINT16_MAX);

/// Requirements for the size of groups.
struct GroupRequest {
  unsigned along = 0;        ///< the dimension along which lanes lie
  std::uint64_t width = 1;   ///< work-items of a vector
  std::uint64_t limit = 1;   ///< work-items of the group, at least `width`
  bool has_to_divide = true; ///< whether the size must divide the global size in each dimension
};

/// A size of groups that are as long as possible along one dimension, and have several rows in the other dimensions
/// only if the limit allows.
std::array<std::uint64_t, 3> long_group(const NDRange& launch, const GroupRequest& request);

/// The size of groups for a group-size-agnostic kernel (passes/2_vector/choose/group_size_agnostic.cpp). The size
/// depends on the global size alone, so that the kernel is equally fast whether and which local size the application
/// has given:
///
///   rows of work-items along the lanes        256 x 1     a copy of a matrix
///   blocks of rows that share what they read   64 x 64    a product of matrices
///   blocks of rows that share cache lines      64 x 16    a transposition
///
/// @param rows see KernelShape::group_rows; more than 0
/// @param columns whether lanes lie along y
/// @returns none if the launch would have too few groups for many threads, or if the launch's own groups are as good
GroupSize suitable_group(const NDRange& launch, unsigned rows, bool columns);

} // namespace hostcl::abi
