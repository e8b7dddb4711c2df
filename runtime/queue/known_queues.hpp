#pragma once

// All queues with commands that may have to be published, or waited for.

#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <vector>

namespace hostcl::runtime {

class Context;
class Queue;

class KnownQueues {
public:
  /// Never destroyed. A child of fork() begins with none.
  static KnownQueues& instance();

  void add(Queue& queue);
  void remove(Queue& queue);
  /// Publishes all commands: for the flusher, and for threads that wait for commands of any queue.
  void publish_all();
  bool any_unpublished();
  /// Waits for the commands in the queues of a context.
  void finish_all(const Context& context);

private:
  template <class Predicate>
  std::vector<Ref<Queue>> queues_that(Predicate wanted);

  Lock lock_; ///< guards the list
  Queue* first_ = nullptr;
};

} // namespace hostcl::runtime
