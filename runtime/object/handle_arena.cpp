#include "runtime/object/handle_arena.hpp"

#include "runtime/support/lock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>

// Null unless the process has LeakSanitizer, which finds pointers in malloc()'s memory and in registered regions only. OpenCL
// objects lie in mapped memory. Unless that is registered, what they own would count as leaked.
extern "C" [[gnu::weak, gnu::visibility("default")]] void
__lsan_register_root_region(const void* first, // NOLINT(bugprone-reserved-identifier)
                            std::size_t bytes);

namespace hostcl::runtime::handle_arena {

Range first_range;

namespace {

/// The bytes before the link keep the last object's values: a loader that is given a released handle still
/// finds the dispatch pointer, and the driver a tag and reference counts that are 0.
struct FreeSlot {
  std::byte kept[32];
  FreeSlot* next;
};

/// Beyond the first one. A part of one in which nothing may be read yet has last == first.
std::array<Range, 63> later_ranges;
/// Those in use. A range is filled in before it counts.
std::atomic<unsigned> later_count = 0;

constexpr std::size_t class_count = max_object / granule;

struct State {
  Lock lock;
  std::array<FreeSlot*, class_count> free{};
  Range* newest = nullptr;         ///< range
  std::uintptr_t next = 0;         ///< its first address never handed out
  std::uintptr_t reserved_end = 0; ///< the end of its addresses that may be handed out
};

State& state() {
  static State instance;
  return instance;
}

Lock& process_lock() {
  return state().lock;
}
const bool is_held_over_fork = held_over_fork<process_lock>();

constexpr std::size_t least_reserved = std::size_t{1} << 24, most_reserved = std::size_t{1} << 30;

/// A small part of the addresses that the process may have, where that is limited.
std::size_t wished_bytes() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most_reserved;
  return std::clamp(std::bit_floor(std::size_t{limit.rlim_cur / 32}), least_reserved, most_reserved);
}

/// The range after the newest one.
Range* unused_range(const State& state) {
  if (!state.newest) return &first_range;
  const unsigned count = later_count.load(std::memory_order_relaxed);
  return count < later_ranges.size() ? &later_ranges[count] : nullptr;
}

/// Begins another range. Reserves addresses alone: where memory is limited or counted in advance, inaccessible pages do
/// not count.
void reserve(State& state) {
  Range* range = unused_range(state);
  if (!range) throw std::bad_alloc();
  for (std::size_t bytes = wished_bytes(); bytes >= least_reserved; bytes /= 2) {
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    if (__lsan_register_root_region)
      __lsan_register_root_region(memory, bytes); // the part that can be read counts
    auto first = reinterpret_cast<std::uintptr_t>(memory);
    state.reserved_end = first + bytes;
    state.next = first;
    range->first.store(first, std::memory_order_relaxed);
    range->last.store(first, std::memory_order_release);
    if (state.newest) later_count.fetch_add(1, std::memory_order_release);
    state.newest = range;
    return;
  }
  throw std::bad_alloc();
}

/// Makes room for `bytes` more.
void grow(State& state, std::size_t bytes) {
  constexpr std::uintptr_t step = 1u << 22;
  if (!state.newest || state.reserved_end - state.next < bytes) reserve(state);
  std::atomic<std::uintptr_t>& last = state.newest->last;
  const std::uintptr_t before = last.load(std::memory_order_relaxed);
  if (before - state.next >= bytes) return;
  if (mprotect(reinterpret_cast<void*>(before), step, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  last.store(before + step, std::memory_order_release);
}

} // namespace

bool is_in_later_range(const void* handle) {
  const unsigned count = later_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count; ++i)
    if (later_ranges[i].contains(handle)) return true;
  return false;
}

void* allocate(std::size_t bytes) {
  std::size_t slots = (bytes + granule - 1) / granule;
  State& s = state();
  std::scoped_lock guard(s.lock);
  if (FreeSlot*& head = s.free[slots - 1]) {
    FreeSlot* slot = head;
    head = slot->next;
    return slot;
  }
  if (!s.newest || s.newest->last.load(std::memory_order_relaxed) - s.next < slots * granule)
    grow(s, slots * granule);
  auto* slot = reinterpret_cast<void*>(s.next);
  s.next += slots * granule;
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
