#pragma once

// What the threads share: a context, queues, a program, counters, memory on its way from one thread to
// another.

#include "soak/axes.hpp"
#include "soak/pager.hpp"
#include "soak/random.hpp"
#include "soak/shortage.hpp"
#include "support/handles.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

namespace soak {

using Words = std::vector<std::uint32_t, pager::Allocator<std::uint32_t>>;
using Clock = std::chrono::steady_clock;

/// Where an expectation was made.
struct Place {
  std::uint64_t seed = 0;
  unsigned thread = 0;
  std::uint64_t operation = 0;
  std::string text;
};

/// Prints all of it and ends the process with exit code 1.
[[noreturn]] void fail(const Place& place, const std::string& what, const std::string& expected,
                       const std::string& actual);
/// From now on failures count no longer, and a thread with one stops: the process exits, and the driver may
/// refuse calls.
void stop_judging();
/// pthread_cancel() of the calling thread waits while one exists: what cannot be left in the middle.
class Uncancelled {
public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;

private:
  int before_;
};

/// Whether this is a child of fork(), which may lack a compiler: it ends with this exit code then.
inline bool is_child = false;
constexpr int exit_without_compiler = 5;
/// Throws Shortage if limits are why the call failed.
void expect(const Place& place, const char* call, cl_int actual, cl_int expected = CL_SUCCESS);
/// Does without limits what has to succeed then. It is done again after a shortage, because blocking calls tell of
/// errors that commands before them had.
template <class Function>
void overcome(const Place& place, Function function) {
  const shortage::Lifted lifted;
  constexpr int most_attempts = 100;
  for (int attempt = 1;; ++attempt) {
    try {
      return function();
    } catch (const Shortage& shortage) {
      if (attempt == most_attempts)
        fail(place, shortage.call, "success without limits", std::to_string(shortage.status));
    }
  }
}
/// Waits until the command or user event is complete or has failed, whatever clWaitForEvents says.
/// @return its status
cl_int wait_surely(cl_event event);

struct Memory;

/// User events get their status from a thread of their own, which never blocks: a thread that waits for one
/// in vain would be an error of the driver.
class Completer {
public:
  Completer() : thread_([this] { run(); }) {}
  ~Completer();
  Completer(const Completer&) = delete;

  /// A user event that gets this status after some time.
  test::Event make(cl_context context, cl_int status, std::chrono::microseconds delay, const Place& place);
  /// Returns when no event is due and the thread is in no call.
  void wait_until_idle();

private:
  struct Due {
    Clock::time_point time;
    test::Event event;
    cl_int status;
    Place place;
  };
  void run();

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<Due> due_;
  bool is_calling_ = false;
  bool is_over_ = false;
  std::thread thread_;
};

/// A program that several threads build and use at once: its kernel adds the number.
struct SharedBuild {
  test::Program program;
  std::uint32_t number = 0;
};

class World {
public:
  explicit World(std::uint64_t seed);
  /// Waits for all callbacks and checks the counters.
  void check();

  static constexpr std::size_t counter_count = 64;

  std::uint64_t seed;
  Place place; ///< of what belongs to no thread
  cl_device_id device;
  test::Context context;
  test::Program program; ///< soak/kernels.hpp, built
  test::Kernel keeper;   ///< as long as it lives the program cannot be built again
  test::Buffer counters; ///< changed by atomic additions alone
  std::array<std::atomic<std::uint32_t>, counter_count> expected_counters{};
  std::atomic<bool> has_lost_counts = false;  ///< commands that add to them failed for want of something
  std::atomic<int> outstanding_callbacks = 0; ///< of events
  std::atomic<int> host_blocks = 0;           ///< which callbacks of memory objects give back
  std::unique_ptr<Completer> completer = std::make_unique<Completer>();

  /// A reference to one of the shared queues.
  test::Queue queue(Random& random);
  /// Another queue takes the place of one; threads that use the former one go on with it.
  void replace_queue(Random& random, const Place& place);
  /// A reference to the program that is being built, which is sometimes a new one.
  SharedBuild shared_build(Random& random, const Place& place);
  /// Leaves memory for another thread, and takes what one has left, if any.
  std::unique_ptr<Memory> exchange(std::unique_ptr<Memory> memory, Random& random);
  /// The last reference is dropped at the end.
  void keep(test::Event event);
  /// Waits for all commands and callbacks: until the next call no thread uses the objects.
  void become_idle();
  /// In a child of fork(), where the completer has no thread any more. It was idle.
  void go_on_in_child();

private:
  void await(const char* what, const std::atomic<int>& count) const;
  test::Queue make_queue(Random& random, const Place& at) const;

  std::mutex lock_;
  std::vector<test::Queue> queues_;
  SharedBuild shared_build_;
  std::vector<std::unique_ptr<Memory>> exchanged_;
  std::vector<test::Event> kept_;
};

} // namespace soak
