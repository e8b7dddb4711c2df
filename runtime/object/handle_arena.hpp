#pragma once

// Where every CL object lives. All slots lie in reserved ranges of addresses that are never unmapped, so a handle
// from an application can be tested without a lock and without the risk of a fault: it is a live object exactly
// if it lies in a range and the slot carries the tag of the object's kind. There is one range, of a gigabyte, until
// an application has some million objects: reserved addresses count for a limit that a process sets itself.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::handle_arena {

/// Slots are multiples of this size and aligned to it.
inline constexpr std::size_t granule = 64;
/// Largest object that allocate() takes.
inline constexpr std::size_t max_object = 2048;

/// @throws std::bad_alloc when the ranges are used up, or the process may have no more addresses.
void* allocate(std::size_t bytes);
void release(void* slot, std::size_t bytes);

/// The part of a range that may be read. It only grows: a thread that has a handle sees the part around it.
struct Range {
  std::atomic<std::uintptr_t> first = 0; ///< set before `last`
  std::atomic<std::uintptr_t> last = 0;

  /// Whether it is the address of a slot.
  bool contains(const void* handle) const {
    const auto address = reinterpret_cast<std::uintptr_t>(handle);
    const std::uintptr_t end =
        last.load(std::memory_order_acquire); // a wrong handle may come before the first object
    return address < end && address >= first.load(std::memory_order_relaxed) && address % granule == 0;
  }
};
extern Range first_range;

/// Whether one of the ranges after the first one contains it.
bool is_in_later_range(const void* handle);

inline bool contains(const void* handle) {
  return first_range.contains(handle) || is_in_later_range(handle);
}

} // namespace hostcl::runtime::handle_arena
