#pragma once

// The shadow of memory that checked kernels access: a cell for each 4 bytes (compiler/abi/race.hpp). Pieces of it are
// mapped when they are first needed, and stay: records of launches that have ended are told by their numbers.

#include "compiler/abi/race.hpp"
#include "runtime/support/lock.hpp"

#include <cstdint>

namespace hostcl::runtime::checks {

class RaceShadow {
public:
  static RaceShadow& instance();

  /// By address >> race_chunk_shift; null if there is no memory for it.
  abi::RaceCell* const* chunks() const { return chunks_; }
  abi::RaceAtomicCell* const* atomic_chunks() const { return atomic_chunks_; }
  /// The cell of an address, or null if there is no memory for it.
  abi::RaceCell* cell(std::uint64_t address);
  /// Its cell of atomic writes; null if there is no memory for it, or if it has none yet and is not to be made.
  abi::RaceAtomicCell* atomic_cell(std::uint64_t address, bool make);
  /// Numbers for the groups of a launch, the first of which is returned.
  std::uint64_t take_groups(std::uint64_t count);

private:
  RaceShadow();
  template <class Cell>
  Cell* cell(Cell** chunks, std::uint64_t address, bool make);
  void forget_all();

  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards the making of chunks, and what follows
  abi::RaceCell** chunks_;
  abi::RaceAtomicCell** atomic_chunks_;
  std::uint64_t next_group_ = 1;
};

} // namespace hostcl::runtime::checks
