// All queues: what has to be published, or waited for, and what a child of fork() takes over (docs/fork.md): queues
// without commands. Threads of the parent go on with the others' commands, and the child has none of these threads.

#include "runtime/checks/commands.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/threads/background.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace hostcl::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// The time for which fork() waits for queues in all: their locks are held for less than a microsecond, but a thread
/// that holds one may wait for the allocator, whose locks fork() may have taken already.
constexpr auto fork_patience = std::chrono::seconds(2);

/// Held by the thread that forks: another one waits for it, and then finds the queues free.
constinit Lock forking;

/// Whether the calling thread, which forks, has prepared for it, and whether it holds the list of queues.
constinit thread_local bool is_prepared = false, holds_queues = false;

} // namespace

class Queue::Known {
public:
  /// Never destroyed. A child of fork() has its own.
  static Known& instance();

  void add(Queue& queue);
  void remove(Queue& queue);
  bool any_unpublished();
  template <class Predicate>
  std::vector<Ref<Queue>> queues_that(Predicate wanted);

private:
  static void before_fork();
  static void after_fork();
  static void begin_anew();
  void hold_queues(Clock::time_point deadline);
  void let_queues_go();

  static std::atomic<Known*> current_;
  Lock lock_; ///< guards the list
  Queue* first_ = nullptr;
};

constinit std::atomic<Queue::Known*> Queue::Known::current_{nullptr};

Queue::Known& Queue::Known::instance() {
  static constexpr Background::Queues all{
      .any_unpublished = [] { return instance().any_unpublished(); },
      .publish = [] { publish_all(); },
      .before_fork = before_fork,
      .after_fork = after_fork,
      .begin_anew = begin_anew,
  };
  if (Known* existing = current_.load(std::memory_order_acquire)) [[likely]]
    return *existing;
  static std::once_flag once;
  // If another thread forks meanwhile, the child does this once more.
  std::call_once(once, [] {
    Background::instance(); // which fork() calls
    Background::set_queues(all);
    current_.store(new Known, std::memory_order_release);
  });
  return *current_.load(std::memory_order_acquire);
}

void Queue::Known::before_fork() {
  Known* known = current_.load(std::memory_order_acquire);
  if (!known) return; // the first queue may be made before after_fork()
  forking.lock();
  is_prepared = true;
  known->hold_queues(Clock::now() + fork_patience);
}

void Queue::Known::after_fork() {
  if (!std::exchange(is_prepared, false)) return;
  current_.load(std::memory_order_acquire)->let_queues_go();
  forking.unlock();
}

void Queue::Known::hold_queues(Clock::time_point deadline) {
  holds_queues = lock_until(lock_, deadline);
  for (Queue* q = holds_queues ? first_ : nullptr; q; q = q->next_known_)
    q->hold(deadline);
}

void Queue::Known::let_queues_go() {
  for (Queue* q = holds_queues ? first_ : nullptr; q; q = q->next_known_)
    q->let_go();
  if (holds_queues) lock_.unlock();
}

/// In the child: the parent's list has perhaps a lock that no thread will release.
void Queue::Known::begin_anew() {
  Known* parents = current_.load(std::memory_order_acquire);
  if (!parents) return;
  if (!std::exchange(is_prepared, false)) parents->hold_queues(Clock::now());
  Queue* next = holds_queues ? parents->first_ : nullptr;
  auto* own = new Known;
  while (Queue* queue = next) {
    next = queue->next_known_;
    queue->next_known_ = queue->previous_known_ = nullptr;
    if (queue->begin_anew()) own->add(*queue);
    queue->let_go();
  }
  current_.store(own, std::memory_order_release);
  forking.unlock(); // which a thread of the parent may have taken, this one or another
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
  else if (first_ == &queue) // not so for a queue that a child of fork() has not taken over
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
       Known::instance().queues_that([&](const Queue& q) { return &q.context() == &context; })) {
    queue->drain();
    checks::host_knows_ends_of(queue.get());
  }
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
