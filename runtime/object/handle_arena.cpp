#include "runtime/object/handle_arena.hpp"

#include "runtime/support/lock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>

// Null unless the process has LeakSanitizer, which looks for pointers only in memory of malloc() and in
// registered regions. The arena is mapped memory, so without registration all that OpenCL objects own would
// count as leaked.
extern "C" [[gnu::weak, gnu::visibility("default")]] void
__lsan_register_root_region(const void* first, // NOLINT(bugprone-reserved-identifier)
                            std::size_t bytes);

namespace hostcl::runtime::handle_arena {

Range first_range;

namespace {

/// A free slot. The first bytes keep the values of the last object, so that a released handle is recognised:
/// the ICD loader still finds a dispatch pointer, and the driver finds a tag and reference counts of 0.
struct FreeSlot {
  std::byte kept[32];
  FreeSlot* next;
};

/// The ranges after the first one. As long as nothing in a range may be read, its last == first.
std::array<Range, 63> later_ranges;
/// The number of later ranges in use. A range is complete before it is counted.
std::atomic<unsigned> later_count = 0;

constexpr std::size_t class_count = max_object / granule;

struct State {
  Lock lock;
  std::array<FreeSlot*, class_count> free{};
  Range* newest = nullptr;         ///< the range that new slots come from
  std::uintptr_t next = 0;         ///< first address of the range that has never been handed out
  std::uintptr_t reserved_end = 0; ///< end of the range's reserved addresses
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

/// Bytes to reserve: if the address space of the process is limited, a small part of it.
std::size_t wanted_bytes() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most_reserved;
  return std::clamp(std::bit_floor(std::size_t{limit.rlim_cur / 32}), least_reserved, most_reserved);
}

/// The range to use after the newest one; null if there is none.
Range* unused_range(const State& state) {
  if (!state.newest) return &first_range;
  const unsigned count = later_count.load(std::memory_order_relaxed);
  return count < later_ranges.size() ? &later_ranges[count] : nullptr;
}

/// Begins another range. It only reserves addresses: inaccessible pages do not count where memory is limited
/// or is committed in advance.
void reserve(State& state) {
  Range* range = unused_range(state);
  if (!range) throw std::bad_alloc();
  for (std::size_t bytes = wanted_bytes(); bytes >= least_reserved; bytes /= 2) {
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    if (__lsan_register_root_region)
      __lsan_register_root_region(memory, bytes); // LeakSanitizer reads the accessible part of it
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

/// Makes at least `bytes` of the newest range accessible.
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
