#pragma once

// Where atomic counters count while kernels run (cl_ext_atomic_counters_32 and _64): a cell per buffer, on a
// cache line of its own. Launches that use a buffer at the same time share its cell, and so behave as if one
// ran after the other: no value is returned twice, none is lost.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace hostcl::runtime {

class CounterCells {
public:
  /// The cell for the counter in the first 4 or 8 bytes at `home`, from whose value it starts. To be given
  /// back with leave(). @throws std::bad_alloc
  std::uint64_t* enter(std::byte* home, std::size_t bytes);
  /// Writes the value to the buffer; the cell goes with its last user.
  void leave(std::byte* home);

private:
  struct alignas(64) Cell {
    std::uint64_t value = 0;
    std::size_t bytes = 0;
    unsigned users = 0;
  };
  static std::mutex& process_lock();
  static void forget();
  static const bool is_held_over_fork_;
  std::mutex lock_;
  std::map<std::byte*, Cell> cells_; ///< by home; a map, for cells must stay in place
};

CounterCells& counter_cells();

/// The cells that one run of a launch counts in, given back at its end.
class CounterUses {
public:
  CounterUses() = default;
  CounterUses(const CounterUses&) = delete;
  ~CounterUses() {
    for (std::byte* home : homes_)
      counter_cells().leave(home);
  }
  /// As CounterCells::enter().
  std::uint64_t* enter(std::byte* home, std::size_t bytes);

private:
  std::vector<std::byte*> homes_;
};

} // namespace hostcl::runtime
