#pragma once

// What kernels that are checked for races share with the host: records of accesses, which lie in shadow memory, and the
// state of a group.
//
// A record tells an access by a work-item, most significant bits first:
//
//   group 24     number of the group among those that ran in this process; a launch has consecutive ones
//   epoch 14     of the group: barriers and releases begin a new one
//   item 12      linear local id
//   site 9       number of the place in the kernel's code; 0 if there are too many
//   atomic 1
//   bytes 4      which bytes of the granule, one bit for each; all for a whole one
//
// So records of one launch, of one group, and of one group since a barrier are ranges of numbers. 0 stands for none. A
// granule is 4 bytes of memory, and 2 or 1 for kernels with accesses to parts of 4. Its cell has the last plain write, and the
// first and the last read of several. Atomic writes have cells of their own, which kernels without atomic operations do not
// look at.
//
// A group that is out of epochs goes on with one of the launch's spare numbers.
//
// Asynchronous copies are made by copiers, one for each work-item and copy, which nothing orders but barriers: in groups of
// at most `race_copiers` work-items their ids follow those of work-items.

#include <cstdint>

namespace hostcl::abi {

inline constexpr unsigned race_atomic_shift = 4, race_site_shift = 5, race_item_shift = 14,
                          race_epoch_shift = 26, race_group_shift = 40;
inline constexpr std::uint64_t race_byte_mask = 0xf, race_atomic = 1U << race_atomic_shift,
                               race_sites = 1U << 9, race_epochs = 1U << 14, race_groups = 1U << 24,
                               race_one_group = std::uint64_t{1} << 40;
/// Bits of a record that tell a work-item.
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

/// Numbers that a launch has for groups that are out of epochs.
inline constexpr std::uint64_t race_spare_groups = 64;
/// The first id of a copier, and how many there are. Each place in the code has its own order of them.
inline constexpr std::uint64_t race_copiers = 2048, race_copier_step = 1021;

/// Memory has shadow in pieces, which a table finds: one for each size of granules, up to 1 << race_word_shift bytes.
inline constexpr unsigned race_chunk_shift = 24, race_address_bits = 47, race_word_shift = 2;

/// The tables for one size of granules.
struct RaceTables {
  RaceCell** chunks;              ///< null for memory without shadow yet
  RaceAtomicCell** atomic_chunks; ///< likewise of atomic writes
};

/// The group that runs on a thread, as its kernel sees it. Ranges are of records.
struct RaceGroup {
  RaceTables tables[race_word_shift + 1];  ///< for granules of 1, 2 and 4 bytes
  std::uint64_t launch_first, launch_span; ///< of the launch
  std::uint64_t group_first;               ///< of the group
  std::uint64_t global_since, local_since; ///< from here on, no barrier has ordered the group's accesses
  std::uint64_t now;                       ///< group and epoch
  const CheckSite* site;                   ///< for HostCallbacks::race_access: the place
  std::uint64_t position; ///< for HostCallbacks::race_access: bytes from the start of what the place names
  std::uint32_t
      passed; ///< fence flags of a barrier that the group is about to pass, or 0; race_passed may be set
};

/// A barrier is about to be passed, with whichever flags.
inline constexpr std::uint32_t race_passed = 1U << 31;

/// How an access is made, for HostCallbacks::race_access.
inline constexpr std::uint32_t race_writes = 1, race_local = 2, race_same_value = 4,
                               race_has_released = 8; ///< a release by the same operation came before
/// Of the same number: each of the kernel's granules is a word divided by 1 << this.
inline constexpr unsigned race_division_at = 4, race_division_mask = 3;
/// What HostCallbacks::race_order does. The last two come without a group: the thread's atomic operations order the work-items
/// of a group alone from now on, or all.
inline constexpr std::uint32_t race_release = 1, race_acquire = 2, race_orders_group = 4, race_orders_all = 8;

} // namespace hostcl::abi
