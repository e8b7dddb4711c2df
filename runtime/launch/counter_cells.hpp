#pragma once

// Atomic counters (cl_ext_atomic_counters_32 and _64) while kernels run. The counter of a buffer has a cell
// of its own, on a cache line of its own. Launches that use the buffer at the same time share the cell. They
// behave as if they ran one after the other: no value is returned twice, and none is lost.

#include "compiler/code_host.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace hostcl::runtime {

/// The cells of all buffers whose counters are in use. There is one object for each process; all methods may
/// be called from any thread.
class CounterCells {
public:
  /// Returns the cell for the counter in the first `bytes` bytes, 4 or 8, at `home`. The first user's call
  /// copies the value from there. Each call needs a later call of leave().
  /// @param host where kernels run that use the buffer; null for this process
  /// @throws std::bad_alloc
  std::uint64_t* enter(std::byte* home, std::size_t bytes, compiler::CodeHost* host);
  /// Writes the value of the cell to the buffer. The cell is destroyed when its last user leaves it.
  void leave(std::byte* home);

private:
  struct alignas(64) Cell {
    std::uint64_t own_value = 0;
    std::uint64_t* value = nullptr;     ///< own_value, or memory of `host`
    compiler::CodeHost* host = nullptr; ///< null for this process
    std::size_t bytes = 0;
    unsigned users = 0;
  };
  static std::mutex& process_lock();
  static void forget();
  static const bool is_held_over_fork_;
  std::mutex lock_;
  std::map<std::byte*, Cell> cells_; ///< by home; a std::map, because cells must not move
};

CounterCells& counter_cells();

/// The cells that one run of a launch uses. The destructor leaves them.
class CounterUses {
public:
  CounterUses() = default;
  CounterUses(const CounterUses&) = delete;
  ~CounterUses() {
    for (std::byte* home : homes_)
      counter_cells().leave(home);
  }
  /// See CounterCells::enter().
  std::uint64_t* enter(std::byte* home, std::size_t bytes, compiler::CodeHost* host);

private:
  std::vector<std::byte*> homes_;
};

} // namespace hostcl::runtime
