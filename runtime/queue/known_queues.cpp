// All queues: what has to be published, or waited for.

#include "runtime/queue/background.hpp"
#include "runtime/queue/queue.hpp"

#include <atomic>
#include <mutex>
#include <new>
#include <vector>

#include <pthread.h>

namespace hostcl::runtime {

class Queue::Known {
public:
  /// Never destroyed. A child of fork() begins with none.
  static Known& instance();

  void add(Queue& queue);
  void remove(Queue& queue);
  bool any_unpublished();
  template <class Predicate>
  std::vector<Ref<Queue>> queues_that(Predicate wanted);

private:
  static std::atomic<Known*> current_;
  Lock lock_; ///< guards the list
  Queue* first_ = nullptr;
};

constinit std::atomic<Queue::Known*> Queue::Known::current_{nullptr};

Queue::Known& Queue::Known::instance() {
  static constexpr Background::Unpublished commands{
      .exists = [] { return instance().any_unpublished(); },
      .publish = [] { publish_all(); },
  };
  if (Known* existing = current_.load(std::memory_order_acquire)) [[likely]]
    return *existing;
  static std::once_flag once;
  std::call_once(once, [] {
    current_.store(new Known, std::memory_order_release);
    // The child has perhaps a lock that no thread will release.
    pthread_atfork(nullptr, nullptr, [] { current_.store(new Known, std::memory_order_release); });
    Background::set_unpublished(commands);
  });
  return *current_.load(std::memory_order_acquire);
}

void Queue::Known::add(Queue& queue) {
  std::scoped_lock guard(lock_);
  queue.next_known_ = first_;
  if (first_) first_->previous_known_ = &queue;
  first_ = &queue;
}

void Queue::Known::remove(Queue& queue) {
  std::scoped_lock guard(lock_);
  if (queue.next_known_) queue.next_known_->previous_known_ = queue.previous_known_;
  if (queue.previous_known_)
    queue.previous_known_->next_known_ = queue.next_known_;
  else if (first_ == &queue) // not so for a queue from before a fork
    first_ = queue.next_known_;
}

template <class Predicate>
std::vector<Ref<Queue>> Queue::Known::queues_that(Predicate wanted) {
  std::vector<Ref<Queue>> queues;
  std::scoped_lock guard(lock_);
  for (Queue* q = first_; q; q = q->next_known_)
    if (wanted(*q)) {
      // First: no queue may lose its last reference under the lock because there is no place for it.
      if (queues.size() == queues.capacity()) queues.reserve(2 * queues.size() + 4);
      if (q->try_retain()) queues.push_back(Ref<Queue>::adopt(q));
    }
  return queues;
}

void Queue::publish_all() {
  try {
    for (const auto& queue :
         Known::instance().queues_that([](const Queue& q) { return q.has_unpublished(); }))
      queue->flush();
  } catch (const std::bad_alloc&) {
    return; // the flusher tries again after its next period
  }
}

void Queue::finish_all(const Context& context) {
  for (const auto& queue :
       Known::instance().queues_that([&](const Queue& q) { return &q.context() == &context; }))
    queue->drain();
}

bool Queue::Known::any_unpublished() {
  std::scoped_lock guard(lock_);
  for (Queue* q = first_; q; q = q->next_known_)
    if (q->has_unpublished()) return true;
  return false;
}

void Queue::join_known() {
  Known::instance().add(*this);
}

void Queue::leave_known() {
  Known::instance().remove(*this);
}

} // namespace hostcl::runtime
