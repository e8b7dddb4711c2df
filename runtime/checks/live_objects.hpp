#pragma once

// The device's memory by address, for checked kernels: which object is there, and how it came to be. Nothing is recorded
// unless checks are on (HOSTCL_CHECK).

#include "runtime/support/lock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

namespace hostcl::runtime::checks {

/// A piece of memory that the application asked for.
struct LiveObject {
  std::uint64_t first = 0; ///< its address
  std::uint64_t bytes = 0;
  const char* call = "";    ///< the entry point that made it
  std::uint64_t number = 0; ///< among the objects of the process, from 1
  bool is_released = false;
};

/// Memory that is to be freed; null if there is none.
struct UnusedMemory {
  std::byte* first = nullptr;
  std::uint64_t bytes = 0; ///< 0 if it was never known
};

class LiveObjects {
public:
  static LiveObjects& instance();

  /// @param call a string that lives for ever
  void add(const void* address, std::uint64_t bytes, const char* call);
  /// Released memory stays known until its addresses may be used again: the caller gives the memory back then.
  /// @returns memory that was released before, and is known no more, if there is some
  UnusedMemory release(std::byte* address);
  /// The object around an address, of number 0 if there is none.
  LiveObject find(std::uint64_t address);
  /// The object around an address or, if there is none, the one that ends before it.
  LiveObject find_nearest(std::uint64_t address);

private:
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards what follows
  std::map<std::uint64_t, LiveObject> objects_;
  std::uint64_t last_number_ = 0;
  std::deque<std::uint64_t> released_; ///< addresses of released objects, oldest first
  std::uint64_t released_bytes_ = 0;
};

/// A call of add() that does nothing unless checks are on.
void note_object(const void* address, std::uint64_t bytes, const char* call);
/// The application has released memory. @returns memory that is to be freed: the same unless checks are on
UnusedMemory release_object(std::byte* memory);

} // namespace hostcl::runtime::checks
