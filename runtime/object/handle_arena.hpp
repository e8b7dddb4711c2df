#pragma once

// The memory in which all objects of the API are. Its slots are in reserved ranges of addresses that are
// never unmapped. So the driver can test a handle from the application without a lock, and without the risk
// of a fault: the handle is that of a live object if and only if it points to a slot in one of the ranges and
// the slot has the tag of the object's kind. The first range has up to a gigabyte. Further ranges are only
// reserved when an application has some million objects, because reserved addresses count for a limit that a
// process may set for itself (RLIMIT_AS).

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::handle_arena {

/// Sizes and addresses of slots are multiples of this.
inline constexpr std::size_t granule = 64;
/// Size of the largest object that allocate() accepts.
inline constexpr std::size_t max_object = 2048;

/// @throws std::bad_alloc if the ranges are used up, or if the process may have no more addresses
void* allocate(std::size_t bytes);
void release(void* slot, std::size_t bytes);

/// The readable part of a range of addresses. It only grows, so a thread that has got a valid handle sees the
/// part that contains the handle.
struct Range {
  std::atomic<std::uintptr_t> first = 0; ///< set before `last`
  std::atomic<std::uintptr_t> last = 0;

  /// Whether the handle may be the address of a slot.
  bool contains(const void* handle) const {
    const auto address = reinterpret_cast<std::uintptr_t>(handle);
    const std::uintptr_t end =
        // Loaded first: an invalid handle may be tested before the first object exists.
        last.load(std::memory_order_acquire);
    return address < end && address >= first.load(std::memory_order_relaxed) && address % granule == 0;
  }
};
extern Range first_range;

/// Whether one of the ranges after the first one contains the handle.
bool is_in_later_range(const void* handle);

inline bool contains(const void* handle) {
  return first_range.contains(handle) || is_in_later_range(handle);
}

} // namespace hostcl::runtime::handle_arena
