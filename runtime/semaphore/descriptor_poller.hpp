#pragma once

// One thread that waits until file descriptors can be read, for as many waits as there are. Made when first
// needed, never joined. It runs no code of the application.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/support/result.hpp"

#include <memory>
#include <mutex>
#include <vector>

#include <poll.h>

namespace hostcl::runtime {

class DescriptorPoller;

class WatchedDescriptor {
public:
  virtual ~WatchedDescriptor() = default;
  /// Open while the object lives; -1 once the application has closed it.
  virtual int descriptor() const = 0;
  /// The descriptor can be read, or `events` says why it will never be. Called under no lock.
  virtual void note_ready(short events) noexcept = 0;
  /// Whether it is to be watched any longer. Called under the poller's lock.
  virtual bool is_wanted() noexcept = 0;

private:
  friend DescriptorPoller;
  // The poller's list. An object from before a fork() may be in the list of the parent's poller.
  const DescriptorPoller* poller_ = nullptr;
  std::shared_ptr<WatchedDescriptor> next_;
};

class DescriptorPoller {
public:
  /// Has the thread run. CL_OUT_OF_RESOURCES if it cannot.
  static Status start();
  /// Watches until is_wanted() says no; after start().
  static void watch(std::shared_ptr<WatchedDescriptor> descriptor) noexcept;
  /// Has is_wanted() asked again, so that the object is not kept for longer than it is wanted.
  static void note_unwanted(const WatchedDescriptor& descriptor) noexcept;

private:
  DescriptorPoller() = default;
  /// Never destroyed. A child of fork() has its own, which watches nothing yet: a descriptor that both have
  /// may be read by one only.
  static DescriptorPoller& instance();
  Status start_thread_once();
  void add(std::shared_ptr<WatchedDescriptor> descriptor) noexcept;
  static void begin_anew();
  /// What the thread polls: wake_, and then what is watched, in the same order.
  struct Round {
    std::vector<std::shared_ptr<WatchedDescriptor>> watched;
    std::vector<pollfd> polled;
  };
  void thread_main(unsigned thread);
  bool collect(unsigned thread, Round& round);
  static void wait_for(Round& round);
  void wake() const noexcept;

  std::mutex mutex_; ///< guards all below
  /// An eventfd, written when a descriptor has been added to the list, so that the thread polls the longer list. If the
  /// application closes the eventfd, nothing can wake the thread that polls the closed one. start() then makes another eventfd
  /// and another thread, which takes over the list.
  FileDescriptor wake_;
  unsigned threads_ = 0; ///< number of the last one, from 1
  std::shared_ptr<WatchedDescriptor> first_;
};

/// Whether a descriptor can be read now, or has an error. @returns the events, 0 if neither; POLLNVAL for -1
short events_now(int descriptor);

} // namespace hostcl::runtime
