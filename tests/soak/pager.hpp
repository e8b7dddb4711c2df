#pragma once

// The application's own handler of SIGSEGV: it opens pages that the application has protected, as a write barrier
// or a pager in user space does. Memory is protected at any moment, also while commands use it.

#include "soak/random.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>

#include <unistd.h>

namespace soak::pager {

inline const std::size_t page_size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

/// The handler passes faults elsewhere on to the one before it.
void install();

/// From now on whole pages of this memory may be protected, until it is removed.
void add(void* memory, std::size_t bytes);
/// Opens all of it.
void remove(void* memory);
/// Takes away some of its pages, or the right to write to them.
void protect(Random& random, const void* memory, std::size_t bytes);

/// Marks the calling thread as the application's. A handler runs on a stack of its own there if the axis is on.
class SignalStack {
public:
  explicit SignalStack(bool has_stack);
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;

private:
  std::unique_ptr<char[]> stack_;
};

/// A thread that protects memory at random moments.
class Thread {
public:
  explicit Thread(std::uint64_t seed);
  ~Thread();
  Thread(const Thread&) = delete;

private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// Allocates whole pages, which may be protected, where they are that large.
void* allocate(std::size_t bytes);
void deallocate(void* memory, std::size_t bytes) noexcept;

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(pager::allocate(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { pager::deallocate(memory, count * sizeof(T)); }
  friend bool operator==(const Allocator&, const Allocator&) = default;
};

} // namespace soak::pager
