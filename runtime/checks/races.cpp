#include "runtime/checks/races.hpp"

#include "compiler/abi/race.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/race_orders.hpp"
#include "runtime/checks/race_shadow.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <utility>

namespace hostcl::abi {

struct RaceLaunch {
  std::uint64_t first_group, groups; ///< numbers in records
  std::mutex mutex;                  ///< guards what follows
  runtime::checks::GroupOrders orders;
  std::set<std::pair<std::uint64_t, std::uint64_t>> reported; ///< pairs of places
};

} // namespace hostcl::abi

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;
using abi::RaceCell;

struct Group : abi::RaceGroup {
  abi::RaceLaunch* launch = nullptr;
  ItemOrders orders;
};
thread_local Group current;

std::uint64_t epoch_of(std::uint64_t record) {
  return record >> abi::race_epoch_shift & (abi::race_epochs - 1);
}
std::uint64_t group_of(std::uint64_t record) {
  return record >> abi::race_group_shift;
}
std::uint64_t item_of(std::uint64_t record) {
  return record >> abi::race_item_shift & 0xfff;
}
std::uint64_t site_of(std::uint64_t record) {
  return record >> abi::race_site_shift & (abi::race_sites - 1);
}

/// No access of the group races from now on.
void ignore(abi::RaceGroup& group) {
  group.launch_span = 0;
  group.local_since = group.group_first + abi::race_one_group;
}

void begin_epoch(abi::RaceGroup& group) {
  if (epoch_of(group.now) + 1 == abi::race_epochs) return ignore(group); // out of numbers
  group.now += std::uint64_t{1} << abi::race_epoch_shift;
}

abi::RaceGroup* race_group(void*, const abi::Launch* launch, std::uint64_t group_x, std::uint64_t group_y,
                           std::uint64_t group_z) {
  const auto& count = launch->range.group_count;
  const std::uint64_t linear = group_x + count[0] * (group_y + count[1] * group_z);
  abi::RaceLaunch* races = launch->races;
  const std::uint64_t number = races ? races->first_group + linear % races->groups : 0;
  const std::uint64_t first = number << abi::race_group_shift;
  if (current.chunks && current.launch == races && current.group_first == first) return &current;
  current.chunks = RaceShadow::instance().chunks();
  current.launch = races;
  current.launch_first = races ? races->first_group << abi::race_group_shift : 0;
  current.launch_span = races ? races->groups << abi::race_group_shift : 0;
  current.group_first = current.now = current.global_since = current.local_since = first;
  current.passed = 0;
  current.orders.clear();
  if (!races) ignore(current);
  return &current;
}

void race_barrier(void*, abi::RaceGroup* group) {
  constexpr std::uint32_t local_fence = 1, global_fence = 2; // CLK_*_MEM_FENCE
  const std::uint64_t span = group->launch_span;
  begin_epoch(*group);
  if (group->passed & local_fence) group->local_since = std::max(group->local_since, group->now);
  if (group->passed & global_fence && span) group->global_since = group->now;
  group->passed = 0;
}

/// Whether only what atomic operations order can keep the record's access from racing with this one.
bool is_unordered(const abi::RaceGroup& group, std::uint64_t record, std::uint64_t me, bool local) {
  if (((record ^ me) & abi::race_item_mask) == 0) return false;
  if (local) return record - group.local_since < group.group_first + abi::race_one_group - group.local_since;
  return record - group.launch_first < group.launch_span &&
         record - group.group_first >= group.global_since - group.group_first;
}

bool conflict(std::uint64_t record, std::uint64_t me) {
  const std::uint64_t both = record & me;
  return (both & abi::race_byte_mask) != 0 && (both & abi::race_atomic) == 0;
}

/// Whether atomic operations order the record's access before what `me` does now. The caller has the launch's mutex.
bool is_ordered(const Group& group, std::uint64_t record, std::uint64_t me) {
  const GroupOrders& orders = group.launch->orders;
  const std::uint64_t mine = group_of(group.group_first);
  if (group_of(record) != mine) return orders.is_before(group_of(record), epoch_of(record), mine);
  if (group.orders.is_before(epoch_of(record), item_of(me))) return true;
  // By way of other groups.
  return group.orders.any_acquired(item_of(me),
                                   [&](std::uint64_t object) { return orders.has_others(mine, object); });
}

Id id_of(std::uint64_t linear, const std::uint64_t (&sizes)[3]) {
  return {linear % sizes[0], linear / sizes[0] % sizes[1], linear / sizes[0] / sizes[1]};
}

struct Access {
  const abi::Launch& launch;
  Group& group;
  std::uint64_t me; ///< its record
  std::uint64_t address;
  std::uint32_t how;
  const abi::CheckSite* const* sites;

  bool is_local() const { return how & abi::race_local; }
  Id group_id(std::uint64_t record) const {
    return id_of(group_of(record) - group.launch->first_group, launch.range.group_count);
  }
  Id local_id(std::uint64_t record) const { return id_of(item_of(record), launch.range.local_size); }
};

void report(const Access& access, std::uint64_t record) {
  const abi::CheckSite* site = access.sites[site_of(access.me)];
  if (!site) return; // more places than have numbers
  Finding finding = finding_at(access.launch, *site, access.local_id(access.me), access.group_id(access.me));
  finding.what = access.address;
  if (site->tells_position) {
    finding.what = access.group.position;
    if (site->argument >= 0 && !access.is_local() && finding.argument.size != anywhere.size)
      finding.what -= static_cast<std::uint64_t>(finding.argument.low);
  }
  finding.other = access.sites[site_of(record)];
  finding.other_local_id = access.local_id(record);
  finding.other_group_id = access.group_id(record);
  for (unsigned d = 0; d < 3; ++d)
    finding.other_global_id[d] = access.launch.range.global_offset[d] +
                                 finding.other_group_id[d] * access.launch.range.local_size[d] +
                                 finding.other_local_id[d];
  note(finding);
}

void compare(const Access& access, std::uint64_t record) {
  if (!conflict(record, access.me) || !is_unordered(access.group, record, access.me, access.is_local()))
    return;
  std::scoped_lock guard(access.group.launch->mutex);
  auto& reported = access.group.launch->reported;
  const std::pair places{site_of(access.me), site_of(record)};
  if (reported.contains(places) || is_ordered(access.group, record, access.me)) return;
  reported.insert(places);
  report(access, record);
}

std::atomic_ref<std::uint64_t> shared(std::uint64_t& record) {
  return std::atomic_ref(record);
}
std::uint64_t load(std::uint64_t& record) {
  return shared(record).load(std::memory_order_relaxed);
}
void store(std::uint64_t& record, std::uint64_t value) {
  shared(record).store(value, std::memory_order_relaxed);
}

/// As the functions hostcl.race.read.* do.
void note_read(const Access& access, RaceCell& cell) {
  const std::uint64_t first = load(cell.first_read), last = load(cell.last_read);
  if (!is_unordered(access.group, first, access.me, access.is_local()))
    store(cell.first_read, access.me);
  else if (!is_unordered(access.group, last, access.me, access.is_local()) ||
           (group_of(first) == group_of(last) && group_of(first) != group_of(access.me)))
    store(cell.last_read, access.me);
}

void check_cell(const Access& access, RaceCell& cell) {
  const bool writes = access.how & abi::race_writes;
  // Work-items that write the same value do no harm to each other.
  if (!(access.how & abi::race_same_value)) compare(access, load(cell.write));
  if (!writes) return note_read(access, cell);
  compare(access, load(cell.first_read));
  compare(access, load(cell.last_read));
  store(cell.write, access.me);
}

void race_access(void*, const abi::Launch* launch, abi::RaceGroup* state, std::uint64_t address,
                 std::uint64_t bytes, std::uint64_t record, std::uint32_t how,
                 const abi::CheckSite* const* sites) {
  auto& group = static_cast<Group&>(*state);
  if (!group.launch || !group.chunks) return;
  const std::uint64_t me = (group.now | record) & ~abi::race_byte_mask;
  try {
    for (std::uint64_t granule = address & ~std::uint64_t{3}; granule < address + bytes; granule += 4) {
      RaceCell* cell = RaceShadow::instance().cell(granule);
      if (!cell) return;
      const std::uint64_t first = std::max(granule, address), end = std::min(granule + 4, address + bytes);
      const std::uint64_t mask = ((std::uint64_t{1} << (end - first)) - 1) << (first - granule);
      check_cell({*launch, group, me | mask, address, how, sites}, *cell);
    }
  } catch (const std::bad_alloc&) {
    return; // races are missed
  }
}

void race_order(void*, abi::RaceGroup* state, std::uint64_t object, std::uint64_t record, std::uint32_t how) {
  auto& group = static_cast<Group&>(*state);
  if (!group.launch) return;
  const std::uint64_t number = group_of(group.group_first), epoch = epoch_of(group.now);
  try {
    std::scoped_lock guard(group.launch->mutex);
    if (how & abi::race_release) {
      if (object) group.launch->orders.release(number, epoch, object);
      group.orders.release(epoch, object);
      begin_epoch(group);
    }
    if (how & abi::race_acquire) {
      if (object) group.launch->orders.acquire(number, object);
      group.orders.acquire(item_of(record), epoch_of(group.now), object);
    }
  } catch (const std::bad_alloc&) {
    ignore(group);
  }
}

} // namespace

std::shared_ptr<abi::RaceLaunch> race_launch(const abi::NDRange& range) {
  const auto& count = range.group_count;
  auto launch = std::make_shared<abi::RaceLaunch>();
  launch->groups = std::min(count[0] * count[1] * count[2], abi::race_groups - 1);
  launch->first_group = RaceShadow::instance().take_groups(launch->groups);
  return launch;
}

void add_race_services(abi::Services& services) {
  services.race_group = race_group;
  services.race_barrier = race_barrier;
  services.race_access = race_access;
  services.race_order = race_order;
}

} // namespace hostcl::runtime::checks
