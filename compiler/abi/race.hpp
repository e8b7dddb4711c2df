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
// of two reads. The two reads are of different work-items, and of different groups if possible: another read replaces a
// record only if the record's access is ordered before it, or if both records are of one group and the read is of
// another one. Atomic writes have cells of their own, which kernels without atomic operations do not read.
//
// If a group has used all epochs, it continues with one of the launch's spare group numbers.
//
// An asynchronous copy is recorded as if *copiers* had made it: imaginary work-items, one for each work-item and call
// of a copy, whose accesses are ordered by barriers only. The local ids of copiers begin at `race_copiers`, above those
// of the work-items. In a group of one work-item, or of more than `race_copiers`, the work-item itself counts as the
// copier.

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

/// The cell of atomic writes: two of them, chosen as the two reads of a RaceCell are.
struct RaceAtomicCell {
  std::uint64_t first, last;
};

/// The number of spare group numbers of a launch, for groups that have used all epochs.
inline constexpr std::uint64_t race_spare_groups = 64;
/// Copiers have the ids race_copiers to 2 * race_copiers - 1. The copier of a work-item for the copy at a site has the
/// id race_copiers + (linear local id + site * race_copier_step) % race_copiers, so that the copiers of one work-item
/// at several sites differ.
inline constexpr std::uint64_t race_copiers = 2048, race_copier_step = 1021;

/// Shadow memory is allocated in chunks, one for each 1 << race_chunk_shift bytes (16 MiB) of the process's memory. A
/// table has a pointer to each chunk, indexed by the address >> race_chunk_shift. Each size of granules, 1, 2 and 4
/// bytes (1 << race_word_shift), has its own tables. Two addresses that differ in bit 47 alone share a cell. Only Linux
/// on AArch64 uses this bit, and it does not place memory at two such addresses.
inline constexpr unsigned race_chunk_shift = 24, race_address_bits = 47, race_word_shift = 2;

/// The tables for one size of granules.
struct RaceTables {
  RaceCell** chunks;              ///< an entry is null if that memory has no shadow yet
  RaceAtomicCell** atomic_chunks; ///< the same for cells of atomic writes
};

/// The state of the work-group that runs on a thread, which its machine code and the host callbacks share. All numbers
/// have the format of records (group and epoch in their places, the other fields 0), so that they can be compared with
/// records.
struct RaceGroup {
  RaceTables tables[race_word_shift + 1];  ///< for granules of 1, 2 and 4 bytes
  std::uint64_t launch_first, launch_span; ///< the launch's range
  std::uint64_t group_first;               ///< beginning of the group's range
  /// A barrier has ordered the group's accesses whose records are below this value, to global and to local memory,
  /// before the present accesses.
  std::uint64_t global_since, local_since;
  std::uint64_t now;     ///< group and epoch
  const CheckSite* site; ///< for HostCallbacks::race_access: site of the access
  /// For HostCallbacks::race_access: bytes from the start of the object that `site` names.
  std::uint64_t position;
  /// The fence flags of the barrier that the group is at: work-items store the flags before the barrier, and
  /// HostCallbacks::race_barrier sets 0 after it. If the flags differ between work-items, only the flags that all
  /// work-items name remain. If the flags are not constant, race_passed is set as well.
  std::uint32_t passed;
};

/// Bit of RaceGroup::passed: keeps the member from being 0 at a barrier whose flags are not constant.
inline constexpr std::uint32_t race_passed = 1U << 31;

/// How an access is made: bits of the argument `how` of HostCallbacks::race_access. race_same_value: the access writes
/// the value that the memory already has. race_has_released: the access is of a compare-exchange with release order,
/// for which race_order has already begun a new epoch; the access belongs to the epoch before.
inline constexpr std::uint32_t race_writes = 1, race_local = 2, race_same_value = 4, race_has_released = 8;
/// Two more bits of `how`, from bit race_division_at on: the size of the kernel's granules is 4 bytes >> these bits.
inline constexpr unsigned race_division_at = 4, race_division_mask = 3;
/// Operations of HostCallbacks::race_order. race_orders_group and race_orders_all are used without a RaceGroup, before
/// and after an atomic operation whose scope is the work-group or the sub-group: in between, atomic operations of the
/// calling thread order only the work-items of their group.
inline constexpr std::uint32_t race_release = 1, race_acquire = 2, race_orders_group = 4, race_orders_all = 8;

} // namespace hostcl::abi
