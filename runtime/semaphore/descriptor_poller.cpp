#include "runtime/semaphore/descriptor_poller.hpp"

#include "runtime/support/cancellation.hpp"
#include "runtime/threads/background.hpp"

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

/// After a failure that only time can mend.
constexpr auto pause = std::chrono::milliseconds(5);

} // namespace

DescriptorPoller& DescriptorPoller::instance() {
  if (DescriptorPoller* existing = current.load(std::memory_order_acquire)) return *existing;
  static std::once_flag once;
  // If another thread forks meanwhile, the child does this once more.
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, begin_anew);
    current.store(new DescriptorPoller, std::memory_order_release);
  });
  return *current.load(std::memory_order_acquire);
}

/// The parent's poller stays as it is: a thread that the child does not have may hold its lock.
void DescriptorPoller::begin_anew() {
  const DescriptorPoller* parents = current.load(std::memory_order_acquire);
  if (!parents) return;
  const CancellationDelay whole;                   // close() would end the thread within fork()
  const int wake_of_parent = parents->wake_.get(); // the application's, if it has closed ours
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
  std::shared_ptr<WatchedDescriptor> of_parent; // the rest of its list; released after the lock
  std::scoped_lock guard(mutex_);
  if (descriptor->poller_ == this) return;
  descriptor->poller_ = this;
  of_parent = std::exchange(descriptor->next_, std::move(first_));
  first_ = std::move(descriptor);
  wake();
}

void DescriptorPoller::wake() const noexcept {
  const std::uint64_t one = 1;
  // Fails only where the counter is at its end, and then the thread is awake.
  [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof one);
}

void DescriptorPoller::note_unwanted(const WatchedDescriptor& descriptor) noexcept {
  DescriptorPoller* const poller = current.load(std::memory_order_acquire);
  if (!poller) return;
  std::scoped_lock guard(poller->mutex_);
  if (descriptor.poller_ == poller) poller->wake();
}

/// Lists what is to be watched, and forgets what is not. @returns false if another thread does that now
bool DescriptorPoller::collect(unsigned thread, Round& round) {
  round.watched.clear();
  round.polled.clear();
  std::shared_ptr<WatchedDescriptor> unwanted; // a list: no object loses its last reference under the lock
  std::scoped_lock guard(mutex_);
  if (thread != threads_) return false;
  const int wake = wake_.get();
  std::uint64_t wakes = 0;
  [[maybe_unused]] const auto bytes = read(wake, &wakes, sizeof wakes);
  round.polled.push_back({wake, POLLIN, 0});
  for (auto* link = &first_; *link;) {
    WatchedDescriptor& each = **link;
    if (each.is_wanted()) {
      round.watched.push_back(*link);
      round.polled.push_back({each.descriptor(), POLLIN, 0});
      link = &each.next_;
    } else {
      each.poller_ = nullptr;
      std::swap(*link, each.next_); // each.next_ is each itself now
      std::swap(each.next_, unwanted);
    }
  }
  return true;
}

void DescriptorPoller::wait_for(Round& round) {
  const bool is_lost = std::any_of(round.polled.begin() + 1, round.polled.end(),
                                   [](const pollfd& each) { return each.fd < 0; });
  // Many descriptors at once are refused where the process may have fewer than it has.
  if (poll(round.polled.data(), round.polled.size(), is_lost ? 0 : -1) < 0) {
    std::this_thread::sleep_for(pause);
    for (pollfd& each : round.polled)
      each.revents = events_now(each.fd);
  }
  for (std::size_t i = 0; i < round.watched.size(); ++i) {
    const pollfd& polled = round.polled[i + 1];
    if (const short events = polled.fd < 0 ? short{POLLNVAL} : polled.revents)
      round.watched[i]->note_ready(events);
  }
}

void DescriptorPoller::thread_main(unsigned thread) {
  for (Round round;;)
    try {
      if (!collect(thread, round)) return;
      wait_for(round);
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
