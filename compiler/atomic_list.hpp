#pragma once

// A linked list to which threads add elements without a lock.

#include <atomic>

namespace hostcl::compiler {

/// The elements have a member `T* next`, and belong to whoever takes them from the list.
template <class T>
class AtomicList {
public:
  /// Inserts linked elements at the beginning. Any thread may call this function.
  void push(T& first, T& last) {
    last.next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(last.next, &first, std::memory_order_release))
      ;
  }
  /// The first element, or null. The elements that are in the list now stay linked as long as nobody takes them.
  T* first() const { return first_.load(std::memory_order_acquire); }
  /// Removes all elements. @returns the first one, or null
  T* take_all() { return first_.exchange(nullptr, std::memory_order_acquire); }

private:
  std::atomic<T*> first_{nullptr};
};

} // namespace hostcl::compiler
