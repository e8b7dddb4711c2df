#include "compiler/code/group_choice.hpp"

#include "compiler/abi/group_size.hpp"

#include <algorithm>
#include <bit>

namespace hostcl::compiler {

namespace {

/// Groups that keep all threads of a large machine busy, though some take longer than others.
constexpr std::uint64_t fewest_groups = 128;
constexpr std::uint64_t most_items = 256; ///< of groups of rows
constexpr std::uint64_t lanes_of_block = 64;
/// Lanes of 32-bit elements in a register, on the host with the widest ones.
constexpr std::uint64_t whole_vectors = 16;

using Sizes = std::array<std::uint64_t, 3>;

/// The dimension that vectors lie along.
unsigned lanes_along(const abi::NDRange& launch, const KernelTraits& traits) {
  const unsigned preferred = traits.columns ? 1 : 0;
  if (launch.global_size[preferred] > 1) return preferred;
  return vector_dimension_of(std::to_array(launch.global_size));
}

/// As many rows as the kernel asks for, or a part of them that divides all rows.
std::uint64_t rows_of_block(std::uint64_t all, std::uint64_t wanted, std::uint64_t items) {
  const std::uint64_t most =
      std::bit_floor(std::min({wanted, std::max<std::uint64_t>(1, items / lanes_of_block), all}));
  const std::uint64_t dividing = std::min(most, all & ~(all - 1));
  return 2 * dividing >= most ? dividing : most;
}

} // namespace

GroupSize group_choice(const abi::NDRange& launch, const KernelTraits& traits) {
  if (traits.group_rows == 0) return {};
  const auto& global = launch.global_size;
  const std::uint64_t items = global[0] * global[1] * global[2] / fewest_groups;
  if (items < whole_vectors) return {};
  const unsigned along = lanes_along(launch, traits);
  const unsigned across = along == 0 ? 1 : 0;
  Sizes size;
  if (traits.group_rows > 1 && along < 2 && global[along] >= whole_vectors && global[across] > 1) {
    size = {1, 1, 1};
    size[along] = std::min(lanes_of_block, global[along]);
    size[across] = rows_of_block(global[across], traits.group_rows, items);
    // Vectors along y want groups that are all alike.
    if (along == 1 && (global[0] % size[0] != 0 || global[1] % size[1] != 0)) size[0] = 1;
  } else {
    if (launch.local_size[along] % whole_vectors == 0) return {};
    size =
        abi::long_group(launch, {along, whole_vectors, std::min(std::bit_floor(items), most_items), false});
  }
  if (std::ranges::equal(size, launch.local_size)) return {};
  return {{static_cast<std::uint16_t>(size[0]), static_cast<std::uint16_t>(size[1]),
           static_cast<std::uint16_t>(size[2])}};
}

Variant variant_for(const abi::NDRange& launch, GroupSize groups) {
  if (!groups) return variant_for(launch);
  abi::NDRange chosen = launch;
  std::ranges::copy(groups.items, chosen.local_size);
  return variant_for(chosen);
}

} // namespace hostcl::compiler
