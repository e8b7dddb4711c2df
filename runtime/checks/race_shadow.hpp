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
  /// The cell of an address, or null if there is no memory for it.
  abi::RaceCell* cell(std::uint64_t address);
  /// Numbers for the groups of a launch, the first of which is returned.
  std::uint64_t take_groups(std::uint64_t count);

private:
  RaceShadow();
  abi::RaceCell* chunk(std::uint64_t address);
  void forget_all();

  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards the making of chunks, and what follows
  abi::RaceCell** chunks_;
  std::uint64_t next_group_ = 1;
};

} // namespace hostcl::runtime::checks
