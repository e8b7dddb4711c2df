#pragma once

// The order in which the work-groups of a launch begin: ascending, descending, or a random order that depends only on a
// seed and the number of groups. Nothing is stored for each group, so launches may have any number of groups.
// Test: runtime/tests/group_order.cpp

#include <bit>
#include <cstdint>

namespace hostcl::runtime {

enum class GroupOrder { forward, reverse, random };

/// Maps places in an order to numbers of work-groups.
class GroupNumbers {
public:
  GroupNumbers(GroupOrder order, std::uint64_t groups, std::uint64_t seed = 1)
      : order_(order), groups_(groups), seed_(seed) {}

  bool is_ascending() const { return order_ == GroupOrder::forward; }

  /// The number of the work-group at this place in the order. @param place in [0, groups)
  std::uint64_t operator[](std::uint64_t place) const {
    switch (order_) {
    case GroupOrder::forward:
      return place;
    case GroupOrder::reverse:
      return groups_ - 1 - place;
    case GroupOrder::random:
      break;
    }
    // permuted() is a permutation of the numbers below the smallest power of 4 that is at least `groups_`. Applied
    // until the result is the number of a group, it is a permutation of the groups (cycle walking).
    do
      place = permuted(place);
    while (place >= groups_);
    return place;
  }

private:
  /// A Feistel network of four rounds, which is a permutation for any round function.
  std::uint64_t permuted(std::uint64_t number) const {
    const unsigned half = (static_cast<unsigned>(std::bit_width(groups_ - 1)) + 1) / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    std::uint64_t left = number >> half, right = number & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed = left ^ (mix(right + seed_ + round * 0x9e3779b97f4a7c15) & mask);
      left = right;
      right = mixed;
    }
    return left << half | right;
  }
  /// The finaliser of MurmurHash3.
  static std::uint64_t mix(std::uint64_t value) {
    value = (value ^ value >> 33) * 0xff51afd7ed558ccd;
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53;
    return value ^ value >> 33;
  }

  GroupOrder order_;
  std::uint64_t groups_;
  std::uint64_t seed_;
};

} // namespace hostcl::runtime
