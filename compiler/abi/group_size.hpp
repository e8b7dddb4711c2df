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

/// What a group should be like.
struct GroupRequest {
  unsigned along = 0;        ///< the dimension that lanes lie along
  std::uint64_t width = 1;   ///< work-items of a vector
  std::uint64_t limit = 1;   ///< work-items of the group, at least `width`
  bool has_to_divide = true; ///< the global size, in each dimension
};

/// The size of groups that are long along one dimension, and fill up with rows of the others.
std::array<std::uint64_t, 3> long_group(const NDRange& launch, const GroupRequest& request);

/// The size of groups for a kernel that may run in any (passes/vectorise/choose/group_size_agnostic.hpp). It follows from the
/// global size, so that the kernel is as fast whatever local size the application has given or not given:
///
///   rows of work-items along the lanes        256 x 1     a copy of a matrix
///   blocks of rows that share what they read   64 x 64    a product of matrices
///   blocks of rows that share cache lines      64 x 16    a transposition
///
/// @param rows as KernelShape::group_rows, more than 0
/// @param columns whether lanes lie along y
/// @returns none for launches that would have too few groups for many threads, and those whose groups suit as well
GroupSize suitable_group(const NDRange& launch, unsigned rows, bool columns);

} // namespace hostcl::abi
