#pragma once

// The order that atomic operations make, for the race check: a release operation comes before a later acquire
// operation on the same atomic object. The acquire operation counts as if it had read the value that the
// release operation wrote, even if it has read another value. So the check may miss races, but reports none
// that an atomic operation prevents.

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hostcl::runtime::checks {

/// The order between the work-groups of a launch. All that a group has done counts as done before its next
/// release. The caller synchronises.
class GroupOrders {
public:
  void release(std::uint64_t group, std::uint64_t epoch, std::uint64_t object);
  void acquire(std::uint64_t group, std::uint64_t object);
  /// Whether what `group` did in `epoch` comes before what `later` does now.
  bool is_before(std::uint64_t group, std::uint64_t epoch, std::uint64_t later) const;
  /// Whether another group has made a release operation on the object.
  bool has_others(std::uint64_t group, std::uint64_t object) const;

private:
  struct Release {
    std::uint64_t epoch; ///< last epoch of the group that comes before the release
    std::uint64_t time;  ///< time of the first release that this element stands for
  };
  using Releases = std::unordered_map<std::uint64_t, std::vector<Release>>; ///< by group
  using Acquired = std::unordered_map<std::uint64_t, std::uint64_t>;        ///< times by object

  std::uint64_t time_ = 0; ///< number of releases and acquires so far
  std::unordered_map<std::uint64_t, Releases> releases_;
  std::unordered_map<std::uint64_t, Acquired> acquired_;
};

/// The order between the work-items of one group.
class ItemOrders {
public:
  void clear();
  void release(std::uint64_t epoch, std::uint64_t object);
  void acquire(std::uint64_t item, std::uint64_t epoch, std::uint64_t object);
  /// Whether what was done in `epoch` comes before what the work-item does now, by operations within the
  /// group.
  bool is_before(std::uint64_t epoch, std::uint64_t item) const;
  /// Calls `visit` with each object on which the work-item has made an acquire operation, until `visit`
  /// returns true.
  template <class Visit>
  bool any_acquired(std::uint64_t item, Visit visit) const {
    const auto found = acquired_.find(item);
    if (found == acquired_.end()) return false;
    for (const auto& [object, epoch] : found->second)
      if (visit(object)) return true;
    return false;
  }

private:
  /// Epochs in ascending order, by object.
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> releases_;
  /// Last epochs, by work-item and object.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>> acquired_;
};

} // namespace hostcl::runtime::checks
