#pragma once

// The memory objects of the device by address, for checked kernels: which object is at an address, and which
// call made it. Nothing is recorded unless checks are on (HOSTCL_CHECK).

#include "runtime/support/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

namespace hostcl::runtime::checks {

/// Memory that the application has asked for.
struct LiveObject {
  std::uint64_t first = 0; ///< its address
  std::uint64_t bytes = 0;
  const char* call = "";    ///< name of the API function that made it
  std::uint64_t number = 0; ///< number among the objects of the process, from 1
  bool is_released = false;
};

/// Memory that the caller has to free; null if there is none.
struct UnusedMemory {
  std::byte* first = nullptr;
  std::uint64_t bytes = 0; ///< 0 if the size was never known
};

/// The objects of this process. There is one list; any thread may call its methods.
class LiveObjects {
public:
  static LiveObjects& instance();

  /// @param call name of the API function; the string must live as long as the process
  void add(const void* address, std::uint64_t bytes, const char* call);
  /// Marks memory as released. It stays in the list for a while, so that accesses to it can be reported, and
  /// is not freed until then.
  /// @returns other memory that has been released before and has now left the list, or this memory; the
  /// caller has to free it
  UnusedMemory release(std::byte* address);
  /// Removes the object with this address.
  void remove(const void* address);
  /// The object that contains an address; its number is 0 if there is none.
  LiveObject find(std::uint64_t address);
  /// The object that contains an address. If there is none, the last object before the address.
  LiveObject find_nearest(std::uint64_t address);

private:
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards the members below
  std::map<std::uint64_t, LiveObject> objects_;
  std::uint64_t last_number_ = 0;
  std::deque<std::uint64_t> released_; ///< addresses of released objects, the oldest first
  std::uint64_t released_bytes_ = 0;
};

/// Adds an object to the list if checks are on.
void note_object(const void* address, std::uint64_t bytes, const char* call);
/// Called when the application releases memory. @returns memory that the caller has to free: the same memory
/// unless checks are on
UnusedMemory release_object(std::byte* memory);
/// Called when imported memory is unmapped. The driver does not own this memory, so it cannot keep it afterwards.
void forget_object(const void* memory);

} // namespace hostcl::runtime::checks
