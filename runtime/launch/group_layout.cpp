#include "runtime/launch/group_layout.hpp"

#include "compiler/abi/group_size.hpp"
#include "runtime/program/nd_range.hpp"

#include <algorithm>
#include <array>

namespace hostcl::runtime {

namespace {

/// Groups are merged only as long as each thread has at least this many groups.
constexpr std::uint64_t least_merged = 16;
/// Groups that take more nanoseconds than this are split, until each thread has enough_parts of them.
constexpr double long_ns = 2'000;
constexpr std::uint64_t enough_parts = 32;
/// The largest vector width that tier 1 code may have. A launch that begins with tier 0 code may go on with
/// tier 1 code.
constexpr std::uint64_t most_lanes = 64;

void merge(abi::NDRange& range, unsigned threads) {
  while (range.group_count[0] % 2 == 0 && range.group_count[0] / 2 >= least_merged * threads &&
         range.local_size[0] * 2 <= abi::max_group_items) {
    range.group_count[0] /= 2;
    range.local_size[0] *= 2;
  }
}

/// Halves groups along one dimension, while there are too few of them and they take too long.
/// @param unit work-items that must stay in one group
void split(abi::NDRange& range, unsigned dimension, std::uint64_t unit, const GroupDemand& demand,
           double& group_ns) {
  std::array<std::uint64_t, 3> local = std::to_array(range.local_size);
  while (local[dimension] % (2 * unit) == 0 && (group_ns == 0 || group_ns > long_ns) &&
         group_total(range) < enough_parts * demand.threads) {
    local[dimension] /= 2;
    group_ns /= 2;
    set_local_size(range, local);
  }
}

} // namespace

abi::NDRange chosen_groups(abi::NDRange launch, const compiler::KernelChoice& choice) {
  if (const auto& items = choice.groups.items; choice.groups)
    set_local_size(launch, {items[0], items[1], items[2]});
  return launch;
}

abi::NDRange laid_out(abi::NDRange chosen, const compiler::KernelChoice& choice, const GroupDemand& demand) {
  if (choice.code->groups_merge) merge(chosen, demand.threads);
  if (!choice.code->groups_split || demand.threads == 1) return chosen;
  const unsigned along = choice.code->vector_dimension;
  // Groups with several rows share the cache lines that they read.
  if (chosen.local_size[along] != items_per_group(chosen)) return chosen;
  double group_ns = demand.group_ns;
  const std::uint64_t lanes = choice.code->width;
  split(chosen, along, choice.is_tier1 ? lanes : std::max(lanes, most_lanes), demand, group_ns);
  return chosen;
}

bool suits_groups(const compiler::KernelChoice& choice, const abi::NDRange& chosen,
                  const abi::NDRange& laid_out) {
  if (std::ranges::equal(chosen.local_size, laid_out.local_size)) return true;
  if (items_per_group(chosen) < items_per_group(laid_out)) return choice.code->groups_merge != 0;
  const unsigned along = choice.code->vector_dimension;
  return choice.code->groups_split && (chosen.local_size[along] == laid_out.local_size[along] ||
                                       laid_out.local_size[along] % choice.code->width == 0);
}

} // namespace hostcl::runtime
