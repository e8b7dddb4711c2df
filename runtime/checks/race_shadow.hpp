#pragma once

// The shadow of memory that checked kernels access: a cell for each granule (compiler/abi/race.hpp). Pieces of it are
// mapped when they are first needed, and stay: records of launches that have ended are told by their numbers. Each size
// of granules has cells of its own, for a launch has one size.

#include "compiler/abi/race.hpp"
#include "runtime/support/lock.hpp"

#include <array>
#include <cstdint>

namespace hostcl::runtime::checks {

class RaceShadow {
public:
  static RaceShadow& instance();

  using Tables = std::array<abi::RaceTables, abi::race_word_shift + 1>;
  /// By `shift`, for granules of 1 << `shift` bytes; null if there is no memory for them.
  const Tables& tables() const { return tables_; }
  /// The cell of an address, or null if there is no memory for it.
  abi::RaceCell* cell(std::uint64_t address, unsigned shift);
  /// Its cell of atomic writes; null if there is no memory for it, or if it has none yet and is not to be made.
  abi::RaceAtomicCell* atomic_cell(std::uint64_t address, unsigned shift, bool make);
  /// Numbers for the groups of a launch, the first of which is returned.
  std::uint64_t take_groups(std::uint64_t count);

private:
  RaceShadow();
  template <class Cell>
  Cell* cell(Cell** chunks, std::uint64_t address, unsigned shift, bool make);
  void forget_all();

  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards the making of chunks, and what follows
  Tables tables_;
  std::uint64_t next_group_ = 1;
};

} // namespace hostcl::runtime::checks
