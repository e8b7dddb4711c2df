#pragma once

// What atomic operations order: those that release, and those that acquire what was released by way of the same object.
// An operation that acquires counts as one that has read what was released before it, so that some races are not found,
// and no order is missed.

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hostcl::runtime::checks {

/// Between the groups of a launch. All of a group counts as done before what it releases afterwards.
class GroupOrders {
public:
  void release(std::uint64_t group, std::uint64_t epoch, std::uint64_t object);
  void acquire(std::uint64_t group, std::uint64_t object);
  /// Whether what `group` did in `epoch` comes before what `later` does now.
  bool is_before(std::uint64_t group, std::uint64_t epoch, std::uint64_t later) const;
  /// Whether another group than this one has released by way of the object.
  bool has_others(std::uint64_t group, std::uint64_t object) const;

private:
  struct Release {
    std::uint64_t epoch; ///< the last one that it covers
    std::uint64_t time;  ///< when the first one of these was made
  };
  using Releases = std::unordered_map<std::uint64_t, std::vector<Release>>; ///< by group
  using Acquired = std::unordered_map<std::uint64_t, std::uint64_t>;        ///< times by object

  std::uint64_t time_ = 0; ///< counts releases and acquires
  std::unordered_map<std::uint64_t, Releases> releases_;
  std::unordered_map<std::uint64_t, Acquired> acquired_;
};

/// Between the work-items of a group.
class ItemOrders {
public:
  void clear();
  void release(std::uint64_t epoch, std::uint64_t object);
  void acquire(std::uint64_t item, std::uint64_t epoch, std::uint64_t object);
  /// Whether what was done in `epoch` comes before what the work-item does now, as far as the group knows.
  bool is_before(std::uint64_t epoch, std::uint64_t item) const;
  /// Calls `visit` with each object that the work-item has acquired by.
  template <class Visit>
  bool any_acquired(std::uint64_t item, Visit visit) const {
    const auto found = acquired_.find(item);
    if (found == acquired_.end()) return false;
    for (const auto& [object, epoch] : found->second)
      if (visit(object)) return true;
    return false;
  }

private:
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> releases_; ///< epochs by object, ascending
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>>
      acquired_; ///< last epochs by work-item and object
};

} // namespace hostcl::runtime::checks
