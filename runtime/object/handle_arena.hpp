#pragma once

// Where every CL object lives. All slots lie in one reserved range of addresses that is never unmapped, so a
// handle from an application can be tested without a lock and without the risk of a fault: it is a live
// object exactly if it lies in the range and the slot carries the tag of the object's kind.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::handle_arena {

/// Slots are multiples of this size and aligned to it.
inline constexpr std::size_t granule = 64;
/// Largest object that allocate() takes.
inline constexpr std::size_t max_object = 2048;

/// @throws std::bad_alloc when the range is used up.
void* allocate(std::size_t bytes);
void release(void* slot, std::size_t bytes);

struct Range {
  std::uintptr_t first = 0;
  std::atomic<std::uintptr_t> last = 0;
};
/// The part of the range that may be read. It only grows: a thread that has a handle sees the part around it.
extern Range range;

inline bool contains(const void* handle) {
  auto address = reinterpret_cast<std::uintptr_t>(handle);
  return address >= range.first && address < range.last.load(std::memory_order_relaxed) &&
         address % granule == 0;
}

} // namespace hostcl::runtime::handle_arena
