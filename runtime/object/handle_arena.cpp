#include "runtime/object/handle_arena.hpp"

#include "runtime/support/lock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define HOSTCL_LEAK_SANITIZER 1
#endif
#endif

namespace hostcl::runtime::handle_arena {

Range range;

namespace {

/// The bytes before the link keep the last object's values: a loader that is given a released handle still
/// finds the dispatch pointer, and the driver a tag and reference counts that are 0.
struct FreeSlot {
  std::byte kept[32];
  FreeSlot* next;
};

constexpr std::size_t class_count = max_object / granule;

struct State {
  Lock lock;
  std::array<FreeSlot*, class_count> free{};
  std::uintptr_t next = 0;         ///< first address never handed out
  std::uintptr_t reserved_end = 0; ///< end of the addresses that may be handed out
};

State& state() {
  static State instance;
  return instance;
}

Lock& process_lock() {
  return state().lock;
}
const bool is_held_over_fork = held_over_fork<process_lock>();

constexpr std::size_t least_reserved = std::size_t{1} << 24, most_reserved = std::size_t{1} << 34;

/// A small part of the addresses that the process may have, where that is limited.
std::size_t wished_bytes() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most_reserved;
  return std::clamp(std::bit_floor(std::size_t{limit.rlim_cur / 32}), least_reserved, most_reserved);
}

/// Reserves addresses alone: where memory is limited or counted in advance, inaccessible pages do not count.
void reserve(State& state) {
  for (std::size_t bytes = wished_bytes(); bytes >= least_reserved; bytes /= 2) {
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    auto first = reinterpret_cast<std::uintptr_t>(memory);
    state.reserved_end = first + bytes;
    state.next = first;
    range.last = range.first = first;
    return;
  }
  throw std::bad_alloc();
}

void grow(const State& state) {
  constexpr std::uintptr_t step = 1u << 22;
  const std::uintptr_t last = range.last.load(std::memory_order_relaxed);
  if (last == state.reserved_end ||
      mprotect(reinterpret_cast<void*>(last), step, PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  range.last.store(last + step, std::memory_order_relaxed);
}

} // namespace

void* allocate(std::size_t bytes) {
  std::size_t slots = (bytes + granule - 1) / granule;
  State& s = state();
  std::scoped_lock guard(s.lock);
  if (range.first == 0) reserve(s);
  if (FreeSlot*& head = s.free[slots - 1]) {
    FreeSlot* slot = head;
    head = slot->next;
    return slot;
  }
  if (range.last.load(std::memory_order_relaxed) - s.next < slots * granule) grow(s);
  auto* slot = reinterpret_cast<void*>(s.next);
  s.next += slots * granule;
#ifdef HOSTCL_LEAK_SANITIZER
  __lsan_register_root_region(slot, slots * granule);
#endif
  return slot;
}

void release(void* slot, std::size_t bytes) {
  std::size_t slots = (bytes + granule - 1) / granule;
  State& s = state();
  std::scoped_lock guard(s.lock);
  auto* free = static_cast<FreeSlot*>(slot);
  free->next = s.free[slots - 1];
  s.free[slots - 1] = free;
}

} // namespace hostcl::runtime::handle_arena
