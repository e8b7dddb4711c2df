#pragma once

// Shadow memory of the race check: a cell for each granule of memory. A granule is the unit of memory for which the
// check keeps records: 4 bytes, or 2 or 1 in kernels that access parts of 4 bytes (compiler/abi/race.hpp). Chunks of
// cells are mapped when they are first needed, and stay mapped. Records of launches that have ended are recognised by
// their group numbers. Each granule size has cells of its own, because all accesses of a launch use one size.

#include "compiler/abi/race.hpp"
#include "runtime/support/lock.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::checks {

/// The shadow of this process. There is one object. Kernels read and write the cells without a lock.
class RaceShadow {
public:
  /// @throws std::bad_alloc if no addresses can be reserved for the tables
  static RaceShadow& instance();

  using Tables = std::array<abi::RaceTables, abi::race_word_shift + 1>;
  /// The tables by `shift`, for granules of 1 << `shift` bytes.
  const Tables& tables() const { return tables_; }
  /// The cell of an address; null if there is no memory for it.
  abi::RaceCell* cell(std::uint64_t address, unsigned shift) {
    return cell(tables_[shift].chunks, address, shift, true);
  }
  /// The cell of atomic writes of an address; null if there is no memory for it, or if it does not exist and
  /// `make` is false.
  abi::RaceAtomicCell* atomic_cell(std::uint64_t address, unsigned shift, bool make) {
    return cell(tables_[shift].atomic_chunks, address, shift, make);
  }
  /// Reserves group numbers for a launch. @returns the first number
  std::uint64_t take_groups(std::uint64_t count);

private:
  RaceShadow();
  static constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << abi::race_chunk_shift) - 1,
                                 chunk_count = std::uint64_t{1}
                                               << (abi::race_address_bits - abi::race_chunk_shift);
  template <class Cell>
  Cell* cell(Cell** chunks, std::uint64_t address, unsigned shift, bool make) {
    Cell*& slot = chunks[(address >> abi::race_chunk_shift) % chunk_count];
    Cell* cells = std::atomic_ref(slot).load(std::memory_order_acquire);
    if (!cells && make) cells = make_chunk(slot, shift);
    return cells ? cells + ((address & chunk_mask) >> shift) : nullptr;
  }
  template <class Cell>
  Cell* make_chunk(Cell*& slot, unsigned shift);
  template <class Cell>
  static std::size_t chunk_bytes(unsigned shift);
  void forget_all();

  static Lock& process_lock() { return lock_; }
  static const bool is_held_over_fork_;
  static constinit Lock lock_; ///< guards the making of chunks, and the members below
  Tables tables_;
  std::uint64_t next_group_ = 1;
};

} // namespace hostcl::runtime::checks
