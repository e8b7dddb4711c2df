// What a sub-group's work-items tell each other, in groups of all shapes, with and without a size that the kernel asks
// for. With such a size the same kernel with -DEMULATE knows its sub-groups from local ids alone.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Sizes = std::array<std::size_t, 3>;
constexpr Sizes rows[] = {{6, 4, 1}, {3, 5, 1}, {7, 2, 1}, {8, 4, 1},  {2, 16, 1}, {1, 24, 1}, {12, 2, 1},
                          {4, 4, 2}, {5, 3, 2}, {1, 1, 9}, {16, 3, 1}, {5, 1, 4},  {9, 9, 1},  {33, 2, 1}};
constexpr std::size_t lines[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 40, 64, 100};

} // namespace

Launches Generator::sub_group_launches() {
  required_lanes_ = chance(40) ? pick({4u, 8u, 16u, 32u}) : 0;
  if (required_lanes_ != 0) declared("REQUIRED", "#define REQUIRED " + std::to_string(required_lanes_) + "u");
  dimensions_ = chance(50) ? 1 : 3;
  Launches result;
  for (unsigned count = 1 + below(2); count > 0; --count) {
    Range range;
    range.dimensions = dimensions_;
    range.local = dimensions_ == 1 ? Sizes{pick(std::span<const std::size_t>(lines)), 1, 1}
                                   : pick(std::span<const Sizes>(rows));
    for (unsigned d = 0; d < 3; ++d)
      range.global[d] = range.local[d] * (dimensions_ == 1 && d == 0 ? 1 + below(130)
                                          : dimensions_ == 1         ? 1
                                                                     : 1 + below(3));
    if (chance(20))
      for (unsigned d = 0; d < dimensions_; ++d)
        range.global[d] += below(static_cast<unsigned>(range.local[d]));
    result.ranges.push_back(range);
  }
  return result;
}

Node Generator::sub_groups() {
  const unsigned kind = below(20);
  if (kind < 4) return sub_group();
  if (kind < 11) // of values that do not tell the group, so that groups may become one
    return statement("out64[(n - 1 - i) * 4 + " + number(4) + "] ^= (ulong)" +
                     any_of({"group_reduce_add_uint", "group_reduce_max_uint", "group_inclusive_add_uint",
                             "group_exclusive_add_uint", "group_elect_uint"}) +
                     "(scratch, " + any_of({"(uint)i", "(uint)in32[i]", "(uint)in8[i] + 1u"}) + ");");
  if (kind < 17 && loops_ == 0 && direct_appends_[1] < 2) {
    ++direct_appends_[1];
    return statement("log32[atomic_inc(&counts[1])] = (uint)i;");
  }
  return statement("out64[(n - 1 - i) * 4 + " + number(4) + "] += " +
                   any_of({"get_sub_group_local_id() * 64u + get_sub_group_size();",
                           "get_sub_group_id() * 64u + get_num_sub_groups();",
                           "in32[get_sub_group_id() * get_sub_group_size() + get_sub_group_local_id()];",
                           "get_sub_group_id() == 0 ? 5u : get_sub_group_local_id();"}));
}

} // namespace differential
