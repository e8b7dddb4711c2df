#pragma once

// Data that kernels which are checked for races share with the host: records of accesses, which lie in shadow memory,
// and the state of a group.
//
// A record describes an access by a work-item, in these fields, most significant bits first:
//
//   group 24     number of the group among those that ran in this process; a launch has consecutive ones
//   epoch 14     number of the epoch of the group: barriers and releases begin a new epoch
//   item 12      linear local id
//   site 9       number of the place in the kernel's code; 0 if there are too many
//   atomic 1
//   bytes 4      a bit for each accessed byte of the granule; all bits for an access to the whole granule
//
// So the records of one launch, of one group, and of one group since a barrier are ranges of numbers. 0 means that
// there is no record. A granule is the unit of memory for which accesses are recorded: 4 aligned bytes, or 2 bytes or 1
// byte in kernels with accesses to parts of 4 bytes. The cell of a granule has the records of the last plain write and
// of two reads, the first and the last one. Atomic writes have cells of their own, which kernels without atomic
// operations do not read.
//
// If a group has used all epochs, it continues with one of the launch's spare group numbers.
//
// An asynchronous copy counts as made by copiers: imaginary work-items, one for each work-item and copy, which are
// ordered by barriers only. In groups of at most `race_copiers` work-items the ids of the copiers follow those of the
// work-items.

#include <cstdint>

namespace hostcl::abi {

inline constexpr unsigned race_atomic_shift = 4, race_site_shift = 5, race_item_shift = 14,
                          race_epoch_shift = 26, race_group_shift = 40;
inline constexpr std::uint64_t race_byte_mask = 0xf, race_atomic = 1U << race_atomic_shift,
                               race_sites = 1U << 9, race_epochs = 1U << 14, race_groups = 1U << 24,
                               race_one_group = std::uint64_t{1} << 40;
/// The bits of a record that identify a work-item: group and item.
inline constexpr std::uint64_t race_item_mask =
    ~(race_one_group - 1) | (std::uint64_t{0xfff} << race_item_shift);

struct CheckSite;

struct RaceCell {
  std::uint64_t write, first_read, last_read;
};

/// The cell of atomic writes: the first and the last of several.
struct RaceAtomicCell {
  std::uint64_t first, last;
};

/// The number of spare group numbers of a launch, for groups that have used all epochs.
inline constexpr std::uint64_t race_spare_groups = 64;
/// race_copiers is the first id of a copier, and the number of copiers. The ids of the copiers of a site are rotated by
/// the site's number times race_copier_step.
inline constexpr std::uint64_t race_copiers = 2048, race_copier_step = 1021;

/// Shadow memory is allocated in chunks, which are found by tables: one table for each size of granules, up to 1 <<
/// race_word_shift bytes.
inline constexpr unsigned race_chunk_shift = 24, race_address_bits = 47, race_word_shift = 2;

/// The tables for one size of granules.
struct RaceTables {
  RaceCell** chunks;              ///< null for memory that has no shadow yet
  RaceAtomicCell** atomic_chunks; ///< the same for cells of atomic writes
};

/// The group that runs on a thread, as its kernel sees it. Numbers and ranges are those of records.
struct RaceGroup {
  RaceTables tables[race_word_shift + 1];  ///< for granules of 1, 2 and 4 bytes
  std::uint64_t launch_first, launch_span; ///< the launch's range
  std::uint64_t group_first;               ///< beginning of the group's range
  std::uint64_t global_since, local_since; ///< records from here on have not been ordered by a barrier
  std::uint64_t now;                       ///< group and epoch
  const CheckSite* site;                   ///< for HostCallbacks::race_access: site of the access
  /// For HostCallbacks::race_access: bytes from the start of the object that `site` names.
  std::uint64_t position;
  /// Fence flags of a barrier that the group is about to pass, or 0; race_passed may be set.
  std::uint32_t passed;
};

/// Bit of RaceGroup::passed: the group is about to pass a barrier, whatever the barrier's flags are.
inline constexpr std::uint32_t race_passed = 1U << 31;

/// How an access is made, for HostCallbacks::race_access.
inline constexpr std::uint32_t race_writes = 1, race_local = 2, race_same_value = 4,
                               race_has_released = 8; ///< the same operation has made a release before
/// Two more bits of the same number: the kernel's granules are words of 4 bytes divided by 1 << these bits.
inline constexpr unsigned race_division_at = 4, race_division_mask = 3;
/// Operations of HostCallbacks::race_order. The last two have no group: from now on, atomic operations of the calling
/// thread order only the work-items of one group, or all work-items.
inline constexpr std::uint32_t race_release = 1, race_acquire = 2, race_orders_group = 4, race_orders_all = 8;

} // namespace hostcl::abi
