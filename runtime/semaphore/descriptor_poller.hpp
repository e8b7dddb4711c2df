#pragma once

// One thread that waits until file descriptors can be read, for as many waits as there are. Made when first
// needed, never joined. It runs no code of the application.

#include "runtime/support/file_descriptor.hpp"
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
  /// Stays open while the object lives.
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
  void thread_main();
  void wait_once();
  void collect();
  void wake() const noexcept;

  std::mutex mutex_; ///< guards all but the last two
  bool is_started_ = false;
  FileDescriptor wake_; ///< an eventfd, written when the list has become longer
  std::shared_ptr<WatchedDescriptor> first_;

  // The thread's own. Of the same order, but the second has wake_ in front.
  std::vector<std::shared_ptr<WatchedDescriptor>> watched_;
  std::vector<pollfd> polled_;
};

/// Whether a descriptor can be read now, or has an error. @returns the events, 0 if neither
short events_now(int descriptor);

} // namespace hostcl::runtime
