#include "runtime/checks/races.hpp"

#include "compiler/abi/race.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/race_orders.hpp"
#include "runtime/checks/race_shadow.hpp"
#include "runtime/support/message.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <utility>

namespace hostcl::abi {

struct RaceLaunch {
  /// Numbers of its groups in records; the numbers of the spare groups follow.
  std::uint64_t first_group, groups;
  struct Spare {
    /// The group that has taken it, from 0, and the number of epochs that the group had before.
    std::atomic<std::uint64_t> group, epochs;
  };
  std::array<Spare, race_spare_groups> spares;
  std::atomic<std::uint64_t> spares_taken = 0;
  std::mutex mutex; ///< guards the members below
  runtime::checks::GroupOrders orders;
  std::set<std::pair<const CheckSite*, std::uint64_t>> reported; ///< pairs of places that have been reported
};

} // namespace hostcl::abi

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;
using abi::RaceCell;

struct Group : abi::RaceGroup {
  abi::RaceLaunch* launch = nullptr;
  /// abi::Launch::number; needed because another launch may have its RaceLaunch at the same address.
  std::uint64_t launch_number = 0;
  std::uint64_t linear = 0; ///< number of the group in the launch
  ItemOrders orders;
};
thread_local Group current;
/// Whether the thread's next atomic operations only order the work-items of the group.
thread_local bool orders_group_alone = false;

std::uint64_t item_of(std::uint64_t record) {
  return record >> abi::race_item_shift & 0xfff;
}
std::uint64_t site_of(std::uint64_t record) {
  return record >> abi::race_site_shift & (abi::race_sites - 1);
}

/// The time of a record: the number of the group in its launch, and the epoch, counted over all group numbers that the
/// group has used.
struct Moment {
  std::uint64_t group, epoch;
};

Moment moment_of(const abi::RaceLaunch& launch, std::uint64_t record) {
  const std::uint64_t number = (record >> abi::race_group_shift) - launch.first_group,
                      epoch = record >> abi::race_epoch_shift & (abi::race_epochs - 1);
  if (number < launch.groups) return {number, epoch};
  const auto& spare = launch.spares[(number - launch.groups) % abi::race_spare_groups];
  return {spare.group.load(std::memory_order_relaxed), spare.epochs.load(std::memory_order_relaxed) + epoch};
}
Moment moment_of(const Group& group) {
  return moment_of(*group.launch, group.now);
}
std::uint64_t group_of(const Group& group, std::uint64_t record) {
  return moment_of(*group.launch, record).group;
}

/// From now on, no access of the group is found to race.
void ignore(abi::RaceGroup& group) {
  group.launch_span = 0;
  group.local_since = group.group_first + abi::race_one_group;
}

/// Reports once in a process that the check has reached a limit.
void note_limit(const char* limit) {
  static std::atomic<bool> is_said = false;
  if (!is_said.exchange(true)) write_message("check ", text("races: ", limit, "; later races may be missed"));
}

/// The group goes on with another number, because its epochs are used up. This counts as a barrier.
void take_spare(Group& group) {
  abi::RaceLaunch& launch = *group.launch;
  const std::uint64_t spare = launch.spares_taken.fetch_add(1, std::memory_order_relaxed);
  if (spare >= abi::race_spare_groups) {
    note_limit("the work-groups of a launch pass more barriers and releases than the check can number");
    return ignore(group);
  }
  const Moment before = moment_of(group);
  launch.spares[spare].group.store(before.group, std::memory_order_relaxed);
  launch.spares[spare].epochs.store(before.epoch + 1, std::memory_order_relaxed);
  group.group_first = group.now = group.global_since = group.local_since =
      (launch.first_group + launch.groups + spare) << abi::race_group_shift;
}

void begin_epoch(Group& group) {
  const std::uint64_t epoch = group.now >> abi::race_epoch_shift & (abi::race_epochs - 1);
  if (epoch + 1 < abi::race_epochs)
    group.now += std::uint64_t{1} << abi::race_epoch_shift;
  else if (group.launch)
    take_spare(group);
}

abi::RaceGroup* race_group(void*, const abi::Launch* launch, std::uint64_t group_x, std::uint64_t group_y,
                           std::uint64_t group_z) {
  const auto& count = launch->range.group_count;
  const std::uint64_t linear = group_x + count[0] * (group_y + count[1] * group_z);
  abi::RaceLaunch* races = launch->races;
  const std::uint64_t number = races ? races->first_group + linear % races->groups : 0;
  const std::uint64_t first = number << abi::race_group_shift;
  if (current.tables[0].chunks && current.launch_number == launch->number && current.linear == linear)
    return &current;
  std::ranges::copy(RaceShadow::instance().tables(), current.tables);
  current.launch_number = launch->number;
  current.linear = linear;
  current.launch = races;
  current.launch_first = races ? races->first_group << abi::race_group_shift : 0;
  current.launch_span = races ? (races->groups + abi::race_spare_groups) << abi::race_group_shift : 0;
  current.group_first = current.now = current.global_since = current.local_since = first;
  current.passed = 0;
  current.orders.clear();
  if (!races) ignore(current);
  return &current;
}

void race_barrier(void*, abi::RaceGroup* state) {
  constexpr std::uint32_t local_fence = 1, global_fence = 2; // CLK_*_MEM_FENCE
  auto* group = static_cast<Group*>(state);
  const std::uint64_t span = group->launch_span;
  begin_epoch(*group);
  if (group->passed & local_fence) group->local_since = std::max(group->local_since, group->now);
  if (group->passed & global_fence && span) group->global_since = group->now;
  group->passed = 0;
}

/// Whether the access of the record and the access of `me` race unless atomic operations order them: they are by
/// different work-items, in the same launch, and no barrier is between them.
bool is_unordered(const Group& group, std::uint64_t record, std::uint64_t me, bool local) {
  if (((record ^ me) & abi::race_item_mask) == 0) return false;
  if (local) return record - group.local_since < group.group_first + abi::race_one_group - group.local_since;
  if (record - group.launch_first >= group.launch_span ||
      record - group.group_first < group.global_since - group.group_first)
    return false;
  // If the record has an earlier number of the same group, a barrier is between them.
  return group_of(group, record) != group_of(group, group.now) ||
         record >> abi::race_group_shift == group.now >> abi::race_group_shift;
}

bool conflict(std::uint64_t record, std::uint64_t me) {
  const std::uint64_t both = record & me;
  return (both & abi::race_byte_mask) != 0 && (both & abi::race_atomic) == 0;
}

/// Whether atomic operations order the record's access before what `me` does now. The caller holds the
/// launch's mutex.
bool is_ordered(const Group& group, std::uint64_t record, std::uint64_t me) {
  const GroupOrders& orders = group.launch->orders;
  const std::uint64_t mine = moment_of(group).group;
  const Moment moment = moment_of(*group.launch, record);
  if (moment.group != mine) return orders.is_before(moment.group, moment.epoch, mine);
  if (group.orders.is_before(moment.epoch, item_of(me))) return true;
  // Possibly ordered by operations of other groups.
  return group.orders.any_acquired(item_of(me),
                                   [&](std::uint64_t object) { return orders.has_others(mine, object); });
}

Id id_of(std::uint64_t linear, const std::uint64_t (&sizes)[3]) {
  return {linear % sizes[0], linear / sizes[0] % sizes[1], linear / sizes[0] / sizes[1]};
}

struct Access {
  const abi::Launch& launch;
  Group& group;
  std::uint64_t me; ///< record of this access
  std::uint64_t address;
  std::uint32_t how;
  const abi::CheckSite* site;
  const abi::CheckSite* const* sites;

  bool is_local() const { return how & abi::race_local; }
  Id group_id(std::uint64_t record) const { return id_of(group_of(group, record), launch.range.group_count); }
  Id local_id(std::uint64_t record) const { return id_of(linear_id(record), launch.range.local_size); }
  std::uint64_t linear_id(std::uint64_t record) const {
    const auto& sizes = launch.range.local_size;
    const std::uint64_t item = item_of(record), items = sizes[0] * sizes[1] * sizes[2];
    if (items > abi::race_copiers || item < abi::race_copiers) return item;
    return (item - site_of(record) * abi::race_copier_step) % abi::race_copiers % items;
  }
};

void report(const Access& access, std::uint64_t record) {
  const abi::CheckSite* site = access.site;
  Finding finding = finding_at(access.launch, *site, access.local_id(access.me), access.group_id(access.me));
  finding.what = access.address;
  if (site->tells_position) {
    finding.what = access.group.position;
    if (site->argument >= 0 && !access.is_local() && finding.argument.object.size != anywhere.size)
      finding.what -= static_cast<std::uint64_t>(finding.argument.object.low);
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
  const std::pair places{access.site, site_of(record)};
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

/// Whether a plain access of the same work-item is recorded already: it can race with more accesses than an
/// atomic one.
bool is_covered(const Access& access, std::uint64_t record) {
  constexpr std::uint64_t moment = ~((std::uint64_t{1} << abi::race_epoch_shift) - 1) | abi::race_item_mask;
  return (access.me & abi::race_atomic) && !(record & abi::race_atomic) &&
         ((record ^ access.me) & moment) == 0;
}

/// Keeps two of several accesses, as the functions hostcl.race.read.* of kernels do.
void note_one(const Access& access, std::uint64_t& first_record, std::uint64_t& last_record) {
  const std::uint64_t first = load(first_record), last = load(last_record);
  if (is_covered(access, first) || is_covered(access, last)) return;
  if (!is_unordered(access.group, first, access.me, access.is_local())) return store(first_record, access.me);
  auto group = [&](std::uint64_t record) { return record >> abi::race_group_shift; };
  if (!is_unordered(access.group, last, access.me, access.is_local()) ||
      (group(first) == group(last) && group(first) != group(access.me)))
    store(last_record, access.me);
}

/// Compares an access with the records of a granule, and records it.
/// @param atomics the granule's cell of atomic writes; null if it has none
void check_cell(const Access& access, RaceCell& cell, abi::RaceAtomicCell* atomics) {
  const bool writes = access.how & abi::race_writes, is_atomic = access.me & abi::race_atomic;
  // Work-items that write the same value do not race with each other.
  if (!(access.how & abi::race_same_value)) compare(access, load(cell.write));
  if (writes) {
    compare(access, load(cell.first_read));
    compare(access, load(cell.last_read));
  }
  if (atomics && !is_atomic) {
    compare(access, load(atomics->first));
    compare(access, load(atomics->last));
  }
  if (!writes) return note_one(access, cell.first_read, cell.last_read);
  if (!is_atomic) return store(cell.write, access.me);
  if (atomics) note_one(access, atomics->first, atomics->last);
}

void race_access(void*, const abi::Launch* launch, abi::RaceGroup* state, std::uint64_t address,
                 std::uint64_t bytes, std::uint64_t record, std::uint32_t how,
                 const abi::CheckSite* const* sites) {
  auto& group = static_cast<Group&>(*state);
  if (!group.launch) return;
  const bool is_earlier = (how & abi::race_has_released) && group.now != group.group_first;
  const std::uint64_t now = group.now - (is_earlier ? std::uint64_t{1} << abi::race_epoch_shift : 0);
  const std::uint64_t me = (now | record) & ~abi::race_byte_mask;
  try {
    RaceShadow& shadow = RaceShadow::instance();
    const unsigned shift = abi::race_word_shift - (how >> abi::race_division_at & abi::race_division_mask);
    const std::uint64_t size = std::uint64_t{1} << shift;
    for (std::uint64_t granule = address & -size; granule < address + bytes; granule += size) {
      RaceCell* cell = shadow.cell(granule, shift);
      if (!cell) return note_limit("out of memory for the records of accesses");
      const std::uint64_t first = std::max(granule, address), end = std::min(granule + size, address + bytes);
      const std::uint64_t mask = ((std::uint64_t{1} << (end - first)) - 1) << (first - granule);
      check_cell({*launch, group, me | mask, address, how, group.site, sites}, *cell,
                 shadow.atomic_cell(granule, shift, (how & abi::race_writes) && (me & abi::race_atomic)));
    }
  } catch (const std::bad_alloc&) {
    return; // the race is missed
  }
}

void race_order(void*, abi::RaceGroup* state, std::uint64_t object, std::uint64_t record, std::uint32_t how) {
  if (how & (abi::race_orders_group | abi::race_orders_all)) {
    orders_group_alone = how & abi::race_orders_group;
    return;
  }
  auto& group = static_cast<Group&>(*state);
  if (!group.launch) return;
  const auto [number, epoch] = moment_of(group);
  const bool orders_groups = object && !orders_group_alone;
  try {
    std::scoped_lock guard(group.launch->mutex);
    if (how & abi::race_release) {
      if (orders_groups) group.launch->orders.release(number, epoch, object);
      group.orders.release(epoch, object);
      begin_epoch(group);
    }
    if (how & abi::race_acquire) {
      if (orders_groups) group.launch->orders.acquire(number, object);
      group.orders.acquire(item_of(record), moment_of(group).epoch, object);
    }
  } catch (const std::bad_alloc&) {
    ignore(group);
  }
}

} // namespace

std::shared_ptr<abi::RaceLaunch> race_launch(const abi::NDRange& range) {
  const auto& count = range.group_count;
  auto launch = std::make_shared<abi::RaceLaunch>();
  constexpr std::uint64_t most_groups = abi::race_groups - 1 - abi::race_spare_groups;
  const std::uint64_t groups = count[0] * count[1] * count[2];
  if (groups > most_groups) note_limit("a launch has more work-groups than the check can number");
  launch->groups = std::min(groups, most_groups);
  launch->first_group = RaceShadow::instance().take_groups(launch->groups + abi::race_spare_groups);
  return launch;
}

void add_race_callbacks(abi::HostCallbacks& host_callbacks) {
  host_callbacks.race_group = race_group;
  host_callbacks.race_barrier = race_barrier;
  host_callbacks.race_access = race_access;
  host_callbacks.race_order = race_order;
}

} // namespace hostcl::runtime::checks
