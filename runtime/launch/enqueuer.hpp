#pragma once

// Collects the children that a range of work-groups enqueues while it runs. Machine code passes it to the
// host callbacks (abi::Launch::enqueuer), and host_callbacks/enqueueing.cpp makes the children.

#include "runtime/launch/child.hpp"

namespace hostcl::runtime {

/// An object on the stack of the thread that runs the range. Only this thread uses it.
class Enqueuer {
public:
  /// @param running the launch that the range belongs to
  explicit Enqueuer(const RunnableLaunch& running, Parent& parent) : running_(running), parent_(parent) {}
  Enqueuer(const Enqueuer&) = delete;
  /// Called when the range has ended: children that waited for its work-groups only, or for nothing, become
  /// ready.
  ~Enqueuer() { children_.unblock_all(); }

  const RunnableLaunch& running() const { return running_; }
  Parent& parent() const { return parent_; }
  /// @param child a child that waits for nothing, or for the end of this range only
  void add(Child& child) { children_.add(child); }

private:
  const RunnableLaunch& running_;
  Parent& parent_;
  ChildList children_;
};

} // namespace hostcl::runtime
