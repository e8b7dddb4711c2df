#pragma once

// A single thread that waits until file descriptors can be read, for all semaphores that need it. The thread
// is started when it is first needed, and never joined. It runs no code of the application.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/support/result.hpp"

#include <memory>
#include <mutex>
#include <vector>

#include <poll.h>

namespace hostcl::runtime {

class DescriptorPoller;

/// An object that wants to know when a file descriptor can be read. It is shared by its owner and the
/// poller's list.
class WatchedDescriptor {
public:
  virtual ~WatchedDescriptor() = default;
  /// The descriptor, which is open while the object lives; -1 once the application has closed it.
  virtual int descriptor() const = 0;
  /// Called when the descriptor can be read, or when `events` says why it never can be. Called without a
  /// lock.
  virtual void note_ready(short events) noexcept = 0;
  /// Whether the descriptor is still to be watched. Called with the poller's lock held.
  virtual bool is_wanted() noexcept = 0;

private:
  friend DescriptorPoller;
  // Links of the poller's list. After fork(), an object may be in the list of the parent's poller.
  const DescriptorPoller* poller_ = nullptr;
  std::shared_ptr<WatchedDescriptor> next_;
};

/// The poller of this process.
class DescriptorPoller {
public:
  /// Starts the thread unless it runs. CL_OUT_OF_RESOURCES if it cannot be started.
  static Status start();
  /// Watches the descriptor until is_wanted() returns false. start() must have succeeded before.
  static void watch(std::shared_ptr<WatchedDescriptor> descriptor) noexcept;
  /// Has the thread call is_wanted() again, so that the poller does not keep the object for longer than
  /// necessary.
  static void note_unwanted(const WatchedDescriptor& descriptor) noexcept;

private:
  DescriptorPoller() = default;
  /// The object of this process, never destroyed. A child of fork() has an object of its own, which watches nothing at
  /// first: the parent and the child share their descriptors, and only one of them may take a signal by reading.
  static DescriptorPoller& instance();
  Status start_thread_once();
  void add(std::shared_ptr<WatchedDescriptor> descriptor) noexcept;
  static void begin_anew();
  /// The lists for poll(): wake_ first, and then the watched descriptors in the order of `watched`.
  struct PollSet {
    std::vector<std::shared_ptr<WatchedDescriptor>> watched;
    std::vector<pollfd> polled;
  };
  void thread_main(unsigned thread);
  bool collect(unsigned thread, PollSet& poll_set);
  static void wait_for(PollSet& poll_set);
  void wake() const noexcept;

  std::mutex mutex_; ///< guards the members below
  /// An eventfd, written when a descriptor has been added to the list, so that the thread polls the longer list. If the
  /// application closes the eventfd, nothing can wake the thread that polls the closed one. start() then makes another eventfd
  /// and another thread, which takes over the list.
  FileDescriptor wake_;
  unsigned threads_ = 0; ///< number of the last thread that was started, from 1
  std::shared_ptr<WatchedDescriptor> first_;
};

/// Whether a descriptor can be read now, or has an error. @returns the events of poll(), 0 if there are none;
/// POLLNVAL for -1
short events_now(int descriptor);

} // namespace hostcl::runtime
