#include "runtime/launch/counter_cells.hpp"

#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstring>
#include <new>

namespace hostcl::runtime {

std::uint64_t* CounterCells::enter(std::byte* home, std::size_t bytes, compiler::CodeHost* host) {
  std::scoped_lock guard(lock_);
  Cell& cell = cells_[home];
  if (cell.users == 0) {
    cell.bytes = bytes;
    cell.host = host;
    cell.value = host ? reinterpret_cast<std::uint64_t*>(host->allocate_data(alignof(Cell), alignof(Cell)))
                      : &cell.own_value;
    if (!cell.value) {
      cells_.erase(home);
      throw std::bad_alloc();
    }
    *cell.value = 0;
    std::memcpy(cell.value, home, bytes); // the low bytes of the value, because all hosts are little-endian
  }
  ++cell.users;
  return cell.value;
}

void CounterCells::leave(std::byte* home) {
  std::scoped_lock guard(lock_);
  auto place = cells_.find(home);
  Cell& cell = place->second;
  const std::uint64_t value = std::atomic_ref(*cell.value).load(std::memory_order_relaxed);
  std::memcpy(home, &value, cell.bytes);
  if (--cell.users != 0) return;
  if (cell.host) cell.host->free_data(reinterpret_cast<std::byte*>(cell.value));
  cells_.erase(place);
}

CounterCells& counter_cells() {
  // Never destroyed, because kernels may still run while the process ends.
  static auto* cells = new CounterCells;
  return *cells;
}

std::uint64_t* CounterUses::enter(std::byte* home, std::size_t bytes, compiler::CodeHost* host) {
  homes_.reserve(homes_.size() + 1); // so that push_back() cannot throw between enter() and leave()
  std::uint64_t* cell = counter_cells().enter(home, bytes, host);
  homes_.push_back(home);
  return cell;
}

std::mutex& CounterCells::process_lock() {
  return counter_cells().lock_;
}
/// Called in the child of fork(): drops the cells of launches that run in the parent.
void CounterCells::forget() {
  counter_cells().cells_.clear();
}
const bool CounterCells::is_held_over_fork_ = held_over_fork<process_lock, forget>();

} // namespace hostcl::runtime
