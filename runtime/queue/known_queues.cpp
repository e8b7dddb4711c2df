#include "runtime/queue/known_queues.hpp"

#include "runtime/queue/background.hpp"
#include "runtime/queue/queue.hpp"

#include <atomic>
#include <mutex>
#include <new>

#include <pthread.h>

namespace hostcl::runtime {

namespace {

std::atomic<KnownQueues*> current{nullptr};

constexpr Background::Unpublished commands{
    .exists = [] { return KnownQueues::instance().any_unpublished(); },
    .publish = [] { KnownQueues::instance().publish_all(); },
};

} // namespace

KnownQueues& KnownQueues::instance() {
  if (KnownQueues* existing = current.load(std::memory_order_acquire)) [[likely]]
    return *existing;
  static std::once_flag once;
  std::call_once(once, [] {
    current.store(new KnownQueues, std::memory_order_release);
    // The child has perhaps a lock that no thread will release.
    pthread_atfork(nullptr, nullptr, [] { current.store(new KnownQueues, std::memory_order_release); });
    Background::set_unpublished(commands);
  });
  return *current.load(std::memory_order_acquire);
}

void KnownQueues::add(Queue& queue) {
  std::scoped_lock guard(lock_);
  queue.next_known_ = first_;
  if (first_) first_->previous_known_ = &queue;
  first_ = &queue;
}

void KnownQueues::remove(Queue& queue) {
  std::scoped_lock guard(lock_);
  if (queue.next_known_) queue.next_known_->previous_known_ = queue.previous_known_;
  if (queue.previous_known_)
    queue.previous_known_->next_known_ = queue.next_known_;
  else if (first_ == &queue) // not so for a queue from before a fork
    first_ = queue.next_known_;
}

template <class Predicate>
std::vector<Ref<Queue>> KnownQueues::queues_that(Predicate wanted) {
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

void KnownQueues::publish_all() {
  try {
    for (const auto& queue : queues_that([](const Queue& q) { return q.has_unpublished(); }))
      queue->flush();
  } catch (const std::bad_alloc&) {
    return; // the flusher tries again after its next period
  }
}

void KnownQueues::finish_all(const Context& context) {
  for (const auto& queue : queues_that([&](const Queue& q) { return &q.context() == &context; }))
    queue->drain();
}

bool KnownQueues::any_unpublished() {
  std::scoped_lock guard(lock_);
  for (Queue* q = first_; q; q = q->next_known_)
    if (q->has_unpublished()) return true;
  return false;
}

} // namespace hostcl::runtime
