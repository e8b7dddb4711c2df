#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

namespace bench::reference {

/// A bounded queue without locks for any number of writers and readers: each slot has a number that says for
/// which round it may be written or read (D. Vyukov, 2010).
class Queue {
public:
  /// @param slots a power of two
  explicit Queue(std::size_t slots);

  bool write(std::uint32_t value);
  bool read(std::uint32_t& value);

  /// Writes all values and then reads as many, on all cores.
  void pass(std::span<const std::uint32_t> values, std::span<std::uint32_t> found);

private:
  struct Slot {
    std::atomic<std::uint64_t> turn;
    std::uint32_t value;
  };
  struct alignas(128) Position {
    std::atomic<std::uint64_t> next = 0;
  };

  std::size_t mask_;
  std::unique_ptr<Slot[]> slots_;
  std::unique_ptr<Position[]> positions_; ///< of writers and readers
};

} // namespace bench::reference
