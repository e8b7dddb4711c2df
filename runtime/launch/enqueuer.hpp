#pragma once

// What the work-groups of one range enqueue: abi::Launch::enqueuer leads here. services/enqueueing.cpp makes the children.

#include "runtime/launch/child.hpp"

namespace hostcl::runtime {

class Enqueuer {
public:
  /// @param running the kernel that the range is of
  explicit Enqueuer(const RunnableLaunch& running, Parent& parent) : running_(running), parent_(parent) {}
  Enqueuer(const Enqueuer&) = delete;
  /// The range has ended: children that wait for its groups, or for nothing, may begin.
  ~Enqueuer() { children_.unblock_all(); }

  const RunnableLaunch& running() const { return running_; }
  Parent& parent() const { return parent_; }
  /// @param child waits for no more than the range of groups
  void add(Child& child) { children_.add(child); }

private:
  const RunnableLaunch& running_;
  Parent& parent_;
  ChildList children_;
};

} // namespace hostcl::runtime
