#include "compiler/abi/group_size.hpp"

#include <algorithm>
#include <bit>

namespace hostcl::abi {

namespace {

/// Largest divisor of n that is a multiple of `step` and at most `limit`; 0 if there is none.
std::uint64_t largest_divisor(std::uint64_t n, std::uint64_t step, std::uint64_t limit) {
  for (std::uint64_t candidate = limit / step * step; candidate >= step && candidate; candidate -= step)
    if (n % candidate == 0) return candidate;
  return 0;
}

/// The size along the lanes: whole vectors if possible, the same for all groups if possible.
std::uint64_t first_dimension(std::uint64_t global, const GroupRequest& request) {
  const auto [along, width, limit, uniform] = request;
  if (std::uint64_t vectors = largest_divisor(global, width, limit); vectors && 4 * vectors >= limit)
    return vectors;
  if (global <= limit) return global;
  std::uint64_t divisor = largest_divisor(global, 1, limit);
  if (4 * divisor >= limit) return divisor;
  if (!uniform) return limit;
  if (divisor >= width || global > max_group_items) return divisor;
  return global; // better one group of odd size than single work-items
}

/// The number of groups that keeps all threads of a large machine busy, even if some groups take longer than
/// others.
constexpr std::uint64_t fewest_groups = 128;
constexpr std::uint64_t most_items = 256; ///< in a group that is long along one dimension
constexpr std::uint64_t lanes_of_block = 64;
/// Lanes of 32-bit elements in the widest vector registers of all hosts.
constexpr std::uint64_t whole_vectors = 16;

/// The dimension along which vectors lie: the preferred dimension, or else the first one with several
/// work-items.
unsigned lanes_along(const NDRange& launch, unsigned preferred) {
  for (const unsigned dimension : {preferred, 0u, 1u, 2u})
    if (launch.global_size[dimension] > 1) return dimension;
  return 0;
}

/// The number of rows in a group: as many as the kernel asks for, or fewer if that divides the number of all
/// rows.
std::uint64_t rows_of_block(std::uint64_t all, std::uint64_t wanted, std::uint64_t items) {
  const std::uint64_t most =
      std::bit_floor(std::min({wanted, std::max<std::uint64_t>(1, items / lanes_of_block), all}));
  const std::uint64_t dividing = std::min(most, all & ~(all - 1));
  return 2 * dividing >= most ? dividing : most;
}

} // namespace

std::array<std::uint64_t, 3> long_group(const NDRange& launch, const GroupRequest& request) {
  const auto& global = launch.global_size;
  std::array<std::uint64_t, 3> local = {1, 1, 1};
  local[request.along] = first_dimension(global[request.along], request);
  for (const unsigned i : {request.along == 0 ? 1u : 0u, request.along == 2 ? 1u : 2u}) {
    if (global[i] == 1) continue; // the usual case, and each launch calls this function
    const std::uint64_t room = request.limit / (local[0] * local[1] * local[2]);
    if (room > 1)
      local[i] = std::max<std::uint64_t>(1, largest_divisor(global[i], 1, std::min(room, global[i])));
  }
  return local;
}

GroupSize suitable_group(const NDRange& launch, unsigned rows, bool columns) {
  const auto& global = launch.global_size;
  const std::uint64_t items = global[0] * global[1] * global[2] / fewest_groups;
  if (items < whole_vectors) return {};
  const unsigned along = lanes_along(launch, columns ? 1 : 0), across = along == 0 ? 1 : 0;
  std::array<std::uint64_t, 3> size = {1, 1, 1};
  if (rows > 1 && along < 2 && global[along] >= whole_vectors && global[across] > 1) {
    size[along] = std::min(lanes_of_block, global[along]);
    size[across] = rows_of_block(global[across], rows, items);
    // Vectors along y want groups that all have the same size.
    if (along == 1 && (global[0] % size[0] != 0 || global[1] % size[1] != 0)) size[0] = 1;
  } else {
    // Consecutive groups lie along x, so groups with lanes along y have to be long to access memory
    // contiguously.
    const std::uint64_t fewest_lanes = along == 0 ? whole_vectors : lanes_of_block;
    if (launch.local_size[along] % fewest_lanes == 0) return {};
    size = long_group(launch, {along, whole_vectors, std::min(std::bit_floor(items), most_items), false});
  }
  if (std::ranges::equal(size, launch.local_size)) return {};
  GroupSize groups;
  std::ranges::copy(size, groups.items.begin());
  return groups;
}

} // namespace hostcl::abi
