// The list of all queues of the process: for flushing or waiting for all of them, and for fork()
// (docs/fork.md). A child of fork() can use the queues that have no commands. In the other queues the
// commands stay: the threads that run them exist in the parent only. Declared in runtime/queue/queue.hpp.

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

/// How long fork() waits for the locks of all queues together. Each lock is held for less than a microsecond,
/// but a thread that holds the lock of a queue may be waiting for the allocator, whose locks fork() may have
/// acquired already.
constexpr auto fork_patience = std::chrono::seconds(2);

/// Held by a thread that forks. If two threads fork at the same time, the second one waits, and then finds
/// the queues' locks free.
constinit Lock forking;

/// Whether the calling thread, which forks, has run before_fork(), and whether it holds the lock of the list
/// and the locks of the queues.
constinit thread_local bool is_prepared = false, holds_queues = false;

} // namespace

/// The list of all queues. There is one object for each process.
class Queue::Known {
public:
  /// The object of this process, never destroyed. A child of fork() makes one of its own.
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
  Lock lock_; ///< guards first_ and the links in the queues
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
  // If another thread forks while this runs, the once_flag of the child stays unset, and the child runs it
  // again.
  std::call_once(once, [] {
    Background::instance(); // registers the handlers of fork() that call these functions
    Background::set_queues(all);
    current_.store(new Known, std::memory_order_release);
  });
  return *current_.load(std::memory_order_acquire);
}

void Queue::Known::before_fork() {
  Known* known = current_.load(std::memory_order_acquire);
  if (!known) return; // the first queue may be created between before_fork() and after_fork()
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

/// Called in the child. The parent's list is not used again, since its lock may be held by a thread that the
/// child does not have.
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
  forking.unlock(); // it may be held by the thread that forked, or by another thread of the parent
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
  else if (first_ == &queue) // a queue that a child of fork() has not taken over is in no list
    first_ = queue.next_known_;
}

template <class Predicate>
std::vector<Ref<Queue>> Queue::Known::queues_that(Predicate wanted) {
  std::vector<Ref<Queue>> queues;
  std::scoped_lock guard(lock_);
  for (Queue* q = first_; q; q = q->next_known_)
    if (wanted(*q)) {
      // Before try_retain(): if push_back() threw, the reference would be dropped under the lock, and it
      // could be the last one.
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
