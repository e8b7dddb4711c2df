#include "compiler/abi/group_size.hpp"

#include <algorithm>

namespace hostcl::abi {

namespace {

/// Largest divisor of n that is a multiple of `step` and at most `limit`; 0 if there is none.
std::uint64_t largest_divisor(std::uint64_t n, std::uint64_t step, std::uint64_t limit) {
  for (std::uint64_t candidate = limit / step * step; candidate >= step && candidate; candidate -= step)
    if (n % candidate == 0) return candidate;
  return 0;
}

/// The size along the lanes: whole vectors if possible, the same for all groups if possible.
std::uint64_t first_dimension(std::uint64_t global, const GroupWish& wish) {
  const auto [along, width, limit, uniform] = wish;
  if (std::uint64_t vectors = largest_divisor(global, width, limit); vectors && 4 * vectors >= limit)
    return vectors;
  if (global <= limit) return global;
  std::uint64_t divisor = largest_divisor(global, 1, limit);
  if (4 * divisor >= limit) return divisor;
  if (!uniform) return limit;
  if (divisor >= width || global > max_group_items) return divisor;
  return global; // better one group of odd size than single work-items
}

} // namespace

std::array<std::uint64_t, 3> long_group(const NDRange& launch, const GroupWish& wish) {
  const auto& global = launch.global_size;
  std::array<std::uint64_t, 3> local = {1, 1, 1};
  local[wish.along] = first_dimension(global[wish.along], wish);
  for (const unsigned i : {wish.along == 0 ? 1u : 0u, wish.along == 2 ? 1u : 2u}) {
    const std::uint64_t room = wish.limit / (local[0] * local[1] * local[2]);
    if (room > 1)
      local[i] = std::max<std::uint64_t>(1, largest_divisor(global[i], 1, std::min(room, global[i])));
  }
  return local;
}

} // namespace hostcl::abi
