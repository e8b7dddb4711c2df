#include "runtime/checks/race_orders.hpp"

#include <algorithm>
#include <unordered_set>

namespace hostcl::runtime::checks {

void GroupOrders::release(std::uint64_t group, std::uint64_t epoch, std::uint64_t object) {
  constexpr std::size_t most_releases = 8;
  std::vector<Release>& releases = releases_[object][group];
  if (releases.size() < most_releases)
    releases.push_back({epoch, ++time_});
  else
    releases.back().epoch = epoch; // merged with the release before, so it counts as made at that time
}

void GroupOrders::acquire(std::uint64_t group, std::uint64_t object) {
  acquired_[group][object] = ++time_;
}

bool GroupOrders::is_before(std::uint64_t group, std::uint64_t epoch, std::uint64_t later) const {
  std::vector<std::uint64_t> open{later};
  std::unordered_set<std::uint64_t> seen_groups{later};
  Acquired seen_objects; // time up to which the releases of each object have been examined
  while (!open.empty()) {
    const auto acquired = acquired_.find(open.back());
    open.pop_back();
    if (acquired == acquired_.end()) continue;
    for (const auto& [object, time] : acquired->second) {
      const auto releases = releases_.find(object);
      if (releases == releases_.end() || time <= seen_objects[object]) continue;
      seen_objects[object] = time;
      auto is_early = [&, until = time](const Release& release) { return release.time <= until; };
      if (const auto direct = releases->second.find(group); direct != releases->second.end())
        for (const Release& release : direct->second)
          if (release.epoch >= epoch && is_early(release)) return true;
      for (const auto& [from, list] : releases->second)
        if (is_early(list.front()) && seen_groups.insert(from).second) open.push_back(from);
    }
  }
  return false;
}

bool GroupOrders::has_others(std::uint64_t group, std::uint64_t object) const {
  const auto releases = releases_.find(object);
  if (releases == releases_.end()) return false;
  return releases->second.size() > (releases->second.contains(group) ? 1U : 0U);
}

void ItemOrders::clear() {
  releases_.clear();
  acquired_.clear();
}

void ItemOrders::release(std::uint64_t epoch, std::uint64_t object) {
  releases_[object].push_back(epoch);
}

void ItemOrders::acquire(std::uint64_t item, std::uint64_t epoch, std::uint64_t object) {
  acquired_[item][object] = epoch;
}

bool ItemOrders::is_before(std::uint64_t epoch, std::uint64_t item) const {
  const auto acquired = acquired_.find(item);
  if (acquired == acquired_.end()) return false;
  return std::ranges::any_of(acquired->second, [&](const auto& entry) {
    const auto& [object, until] = entry;
    const auto releases = releases_.find(object);
    if (releases == releases_.end()) return false;
    const auto first = std::ranges::lower_bound(releases->second, epoch);
    return first != releases->second.end() && *first <= until;
  });
}

} // namespace hostcl::runtime::checks
