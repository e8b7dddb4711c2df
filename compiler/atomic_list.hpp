#pragma once

// A linked list to which threads add elements without a lock.

#include <atomic>

namespace hostcl::compiler {

/// The elements have a member `T* next`, and belong to the owner of the list.
template <class T>
class AtomicList {
public:
  /// Inserts an element at the beginning. Any thread may call this function.
  void push(T& element) {
    element.next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(element.next, &element, std::memory_order_release))
      ;
  }
  /// The first element, or null.
  T* first() const { return first_.load(std::memory_order_acquire); }

private:
  std::atomic<T*> first_{nullptr};
};

} // namespace hostcl::compiler
