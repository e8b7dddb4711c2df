// Ranges, and what a kernel says of them.

#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

namespace {

constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 48, 64, 100, 128, 256};

constexpr std::size_t many_items = 4096;

/// What kernels that use their groups have local memory for.
constexpr std::size_t most_group_items = 256;

} // namespace

void Generator::choose_local(Range& range, std::size_t room) {
  for (unsigned d = 0; d < range.dimensions; ++d) {
    const std::size_t limit = d == 0 ? room : std::min<std::size_t>(room, 17);
    do
      range.local[d] = pick(std::span<const std::size_t>(sizes));
    while (range.local[d] > limit);
    room /= range.local[d];
  }
}

Range Generator::range(unsigned dimensions, bool has_offset) {
  Range result;
  result.dimensions = dimensions;
  const unsigned kind = below(20);
  // The driver may merge groups of kernels that do not depend on their groups. Such kernels get many small groups more often.
  const unsigned often = has_queries() ? 14 : sees_groups_ && theme_ != Theme::groups ? 2 : 7;
  const bool has_many_groups = dimensions == 1 && kind < often;
  if (required_size_[0] != 0)
    result.local = required_size_;
  else
    choose_local(result, has_many_groups ? 16 : kind == 7 ? 1 : most_group_items);
  for (unsigned d = 0; d < dimensions; ++d) {
    std::size_t groups = 1 + below(dimensions == 1 ? 4 : 2);
    if (has_many_groups) groups = pick({32u, 64u, 65u, 96u, 130u, 256u});
    if (kind == 7 && required_size_[0] == 0) groups = 1 + below(40);
    if (kind == 8) groups = 1;
    result.global[d] = result.local[d] * groups;
    if (chance(30) && required_size_[0] == 0)
      result.global[d] += below(static_cast<unsigned>(result.local[d]));
    if (has_offset && chance(50)) result.offset[d] = 1 + below(100);
  }
  if (!sees_groups_ && !has_queries() && chance(25)) result.has_local = false;
  if (!sees_groups_ && dimensions == 1 && chance(2)) // a few are long enough for all threads
    result.global[0] = std::max<std::size_t>(16384 / result.local[0], 1) * result.local[0];
  if (!sees_groups_ && chance(10)) // enough for the driver to choose other groups
    for (unsigned d = 0; result.items() < many_items; d = (d + 1) % dimensions)
      result.global[d] *= 2;
  return result;
}

void Generator::choose_required_size() {
  Range range;
  range.dimensions = dimensions_;
  choose_local(range, chance(50) ? 64 : most_group_items);
  required_size_ = range.local;
}

Launches Generator::launches() {
  if (has_grids() || (has_products() && chance(60))) return grid_launches();
  if (has_sub_groups()) return sub_group_launches();
  const unsigned kind = below(100);
  dimensions_ = kind < 65 ? 1 : 2 + below(2);
  has_offset_ = chance(20);
  if (chance(15)) choose_required_size();
  Launches result;
  const unsigned number = below(100), count = number < 45 ? 1 : number < 80 ? 2 : number < 94 ? 3 : 4;
  for (unsigned i = 0; i < count; ++i)
    result.ranges.push_back(
        range(required_size_[0] != 0 ? dimensions_ : 1 + below(dimensions_), has_offset_));
  result.ranges.front() = range(dimensions_, has_offset_);
  if (chance(20)) {
    result.queues = 1 + below(8);
    result.threads = 1 + below(3);
  }
  return result;
}

Node Generator::attributes(const Launches& launches) {
  Node result = list();
  auto add = [&](const std::string& attribute) {
    result.children.push_back(statement("__attribute__((" + attribute + "))"));
  };
  auto sizes_of = [](const std::array<std::size_t, 3>& size) {
    return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]) +
           ")";
  };
  if (required_size_[0] != 0) add("reqd_work_group_size" + sizes_of(required_size_));
  if (chance(has_hints() ? 40 : 6)) add("work_group_size_hint" + sizes_of(launches.ranges.front().local));
  if (chance(has_hints() ? 40 : 6))
    add("vec_type_hint(" + any_of({"float4", "int", "uchar16", "double"}) + ")");
  if (required_lanes_ != 0) {
    add("intel_reqd_sub_group_size(" + std::to_string(required_lanes_) + ")");
    result.children.back().is_pinned = true; // its helpers know it
  }
  if (has_sub_groups() || has_entered_loops_) return result;
  if (chance(uses_sub_groups_ ? 20
             : has_hints()    ? 30
             : named_         ? 0
                              : 4)) // loops that wait for each other have none
    add("intel_reqd_sub_group_size(" + any_of({"4", "8", "16", "32"}) + ")");
  return result;
}

} // namespace differential
