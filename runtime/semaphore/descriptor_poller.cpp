#include "runtime/semaphore/descriptor_poller.hpp"

#include "runtime/support/cancellation.hpp"
#include "runtime/threads/start_thread.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sys/eventfd.h>

namespace hostcl::runtime {

namespace {

std::atomic<DescriptorPoller*> current{nullptr};

/// The time that the thread waits after a failure that may be temporary, such as a lack of memory.
constexpr auto pause = std::chrono::milliseconds(5);

} // namespace

DescriptorPoller& DescriptorPoller::instance() {
  if (DescriptorPoller* existing = current.load(std::memory_order_acquire)) return *existing;
  static std::once_flag once;
  // If another thread forks while this runs, the once_flag of the child stays unset, and the child runs it
  // again.
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, begin_anew);
    current.store(new DescriptorPoller, std::memory_order_release);
  });
  return *current.load(std::memory_order_acquire);
}

/// Called in the child of fork(). The parent's poller is not used again, because a thread that the child does
/// not have may hold its lock.
void DescriptorPoller::begin_anew() {
  const DescriptorPoller* parents = current.load(std::memory_order_acquire);
  if (!parents) return;
  const CancellationDelay whole; // close() is a cancellation point, and would end the thread within fork()
  // wake_.get() is -1 if the application has closed the eventfd; its number may then belong to a file of the
  // application.
  const int wake_of_parent = parents->wake_.get();
  if (wake_of_parent >= 0) close(wake_of_parent);
  current.store(new DescriptorPoller, std::memory_order_release);
}

Status DescriptorPoller::start() {
  return instance().start_thread_once();
}

Status DescriptorPoller::start_thread_once() {
  std::scoped_lock guard(mutex_);
  if (wake_.get() >= 0) return {};
  FileDescriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake)
    return fail(CL_OUT_OF_RESOURCES, "cannot make a file descriptor for waiting: ", std::strerror(errno));
  const auto thread = start_thread([this, number = threads_ + 1] { thread_main(number); });
  if (!thread) return fail(CL_OUT_OF_RESOURCES, "cannot start a thread that waits for file descriptors");
  pthread_detach(*thread);
  ++threads_;
  wake_ = std::move(wake);
  return {};
}

void DescriptorPoller::watch(std::shared_ptr<WatchedDescriptor> descriptor) noexcept {
  current.load(std::memory_order_acquire)->add(std::move(descriptor));
}

void DescriptorPoller::add(std::shared_ptr<WatchedDescriptor> descriptor) noexcept {
  std::shared_ptr<WatchedDescriptor> of_parent; // the rest of the parent's list; released after the lock
  std::scoped_lock guard(mutex_);
  if (descriptor->poller_ == this) return;
  descriptor->poller_ = this;
  of_parent = std::exchange(descriptor->next_, std::move(first_));
  first_ = std::move(descriptor);
  wake();
}

void DescriptorPoller::wake() const noexcept {
  const std::uint64_t one = 1;
  // Fails only if the counter is at its maximum; then the thread is awake.
  [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof one);
}

void DescriptorPoller::note_unwanted(const WatchedDescriptor& descriptor) noexcept {
  DescriptorPoller* const poller = current.load(std::memory_order_acquire);
  if (!poller) return;
  std::scoped_lock guard(poller->mutex_);
  if (descriptor.poller_ == poller) poller->wake();
}

/// Makes the lists for poll(), and removes descriptors that are not wanted any more. @returns false if
/// another thread does so now
bool DescriptorPoller::collect(unsigned thread, PollSet& poll_set) {
  poll_set.watched.clear();
  poll_set.polled.clear();
  // A list, so that no object loses its last reference under the lock.
  std::shared_ptr<WatchedDescriptor> unwanted;
  std::scoped_lock guard(mutex_);
  if (thread != threads_) return false;
  const int wake = wake_.get();
  std::uint64_t wakes = 0;
  [[maybe_unused]] const auto bytes = read(wake, &wakes, sizeof wakes);
  poll_set.polled.push_back({wake, POLLIN, 0});
  for (auto* link = &first_; *link;) {
    WatchedDescriptor& each = **link;
    if (each.is_wanted()) {
      poll_set.watched.push_back(*link);
      poll_set.polled.push_back({each.descriptor(), POLLIN, 0});
      link = &each.next_;
    } else {
      each.poller_ = nullptr;
      std::swap(*link, each.next_); // each.next_ is `each` itself now
      std::swap(each.next_, unwanted);
    }
  }
  return true;
}

void DescriptorPoller::wait_for(PollSet& poll_set) {
  const bool is_lost = std::any_of(poll_set.polled.begin() + 1, poll_set.polled.end(),
                                   [](const pollfd& each) { return each.fd < 0; });
  // poll() refuses more descriptors than the process may open, so each is polled alone then.
  if (poll(poll_set.polled.data(), poll_set.polled.size(), is_lost ? 0 : -1) < 0) {
    std::this_thread::sleep_for(pause);
    for (pollfd& each : poll_set.polled)
      each.revents = events_now(each.fd);
  }
  for (std::size_t i = 0; i < poll_set.watched.size(); ++i) {
    const pollfd& polled = poll_set.polled[i + 1];
    if (const short events = polled.fd < 0 ? short{POLLNVAL} : polled.revents)
      poll_set.watched[i]->note_ready(events);
  }
}

void DescriptorPoller::thread_main(unsigned thread) {
  for (PollSet poll_set;;)
    try {
      if (!collect(thread, poll_set)) return;
      wait_for(poll_set);
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(pause);
    }
}

short events_now(int descriptor) {
  if (descriptor < 0) return POLLNVAL;
  pollfd polled{descriptor, POLLIN, 0};
  return poll(&polled, 1, 0) > 0 ? polled.revents : short{0};
}

} // namespace hostcl::runtime
