#include "bench/reference/queue.hpp"

#include "bench/reference/parallel.hpp"

namespace bench::reference {

Queue::Queue(std::size_t slots)
    : mask_(slots - 1), slots_(std::make_unique<Slot[]>(slots)), positions_(std::make_unique<Position[]>(2)) {
  for (std::size_t i = 0; i < slots; ++i)
    slots_[i].turn.store(i, std::memory_order_relaxed);
}

bool Queue::write(std::uint32_t value) {
  std::atomic<std::uint64_t>& next = positions_[0].next;
  std::uint64_t position = next.load(std::memory_order_relaxed);
  for (;;) {
    Slot& slot = slots_[position & mask_];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn < position) return false;
    if (turn > position) {
      position = next.load(std::memory_order_relaxed);
    } else if (next.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
      slot.value = value;
      slot.turn.store(position + 1, std::memory_order_release);
      return true;
    }
  }
}

bool Queue::read(std::uint32_t& value) {
  std::atomic<std::uint64_t>& next = positions_[1].next;
  std::uint64_t position = next.load(std::memory_order_relaxed);
  for (;;) {
    Slot& slot = slots_[position & mask_];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn < position + 1) return false;
    if (turn > position + 1) {
      position = next.load(std::memory_order_relaxed);
    } else if (next.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
      value = slot.value;
      slot.turn.store(position + mask_ + 1, std::memory_order_release);
      return true;
    }
  }
}

void Queue::pass(std::span<const std::uint32_t> values, std::span<std::uint32_t> found) {
  constexpr std::size_t grain = 1 << 12;
  parallel_for(values.size(), grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      write(values[i]);
  });
  parallel_for(found.size(), grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      read(found[i]);
  });
}

} // namespace bench::reference
