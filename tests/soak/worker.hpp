#pragma once

// One thread of the soak: its memory, kernels and commands in flight.

#include "soak/kernels.hpp"
#include "soak/memory.hpp"

#include <deque>
#include <initializer_list>
#include <span>

#include <sys/types.h>

namespace soak {

class Worker;

struct Operation {
  const char* name;
  unsigned weight;
  void (*run)(Worker& worker);
};
std::span<const Operation> transfers();
std::span<const Operation> launches();
std::span<const Operation> builds();
std::span<const Operation> events();
std::span<const Operation> objects();
std::span<const Operation> processes();
std::span<const Operation> exits();
/// Rows of their axes.
std::span<const Operation> forks();
std::span<const Operation> stacks();
std::span<const Operation> recoveries();

/// What a command needs: a queue, a wait list and a place for its event.
struct Step {
  test::Queue queue;
  std::vector<cl_event> waits;
  std::vector<test::Event> owned; ///< events that only the wait list uses
  test::Event event;
  bool fails = false; ///< an event of the wait list is going to fail

  cl_uint count() const { return static_cast<cl_uint>(waits.size()); }
  const cl_event* list() const { return waits.empty() ? nullptr : waits.data(); }
  cl_int outcome() const { return fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS; }
};

/// A command in flight: its event, what it reads from or into, and what that is to be in the end.
struct Pending {
  test::Event event;
  cl_int outcome = CL_SUCCESS;
  Place place;
  std::vector<const Memory*> memories;
  std::unique_ptr<Words> data;
  Words expected;
};

/// A child of fork() that goes on while its parent does.
struct Child {
  pid_t process;
  Place place;
};

/// Objects that no other thread uses, for children that go on with them.
struct Household;

struct Limits {
  Clock::time_point end = Clock::time_point::max();
  std::uint64_t operations = ~std::uint64_t{0};
  bool with_processes = true;
  bool with_exits = false;
};

class Worker {
public:
  Worker(World& world, unsigned thread);
  ~Worker();

  /// May be cancelled between two operations or comparisons. Another thread goes on then.
  void run(const Limits& limits);
  /// So many operations that concern this process alone.
  void run_some(std::uint64_t operations);
  /// Waits for everything, and compares all memory.
  void finish();

  // ---- For operations

  World& world;
  Random random;
  const Place& place() const { return place_; }
  /// Says what the operation is about to do, for a report of its failure.
  void note(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void expect(const char* call, cl_int actual, cl_int expected = CL_SUCCESS) const {
    soak::expect(place_, call, actual, expected);
  }
  void expect_equal(const char* what, std::uint64_t actual, std::uint64_t expected) const;

  Memory& memory() { return *memories_[random.below(memories_.size())]; }
  /// Another one, which may be of another size.
  Memory& memory_beside(const Memory& other);
  std::unique_ptr<Memory>& slot() { return memories_[random.below(memories_.size())]; }
  test::Kernel& kernel(Function function) { return kernels_[static_cast<unsigned>(function)]; }

  /// A step after everything that was enqueued for the memory.
  Step step(std::initializer_list<const Memory*> memories);
  /// After the command has been enqueued: it is the latest one of the memory.
  void settle(Step& step, std::initializer_list<Memory*> memories, std::unique_ptr<Words> data = nullptr,
              Words expected = {});
  /// Waits for the oldest commands and compares what they did.
  /// @return how many of them failed because limits were low
  std::size_t drain(std::size_t remaining);
  /// Without limits the operation and its commands succeed, sooner or later, whatever failed before.
  void succeed(const Operation& operation);
  /// Another memory takes the place of one whose contents are not known.
  void renew(const Memory* lost);
  /// An event that is going to be complete, or null.
  cl_event some_event();
  test::Event late_event(cl_int status);
  std::deque<Child> children;
  std::unique_ptr<Household> household;

  // ---- For the watchdog

  std::string state() const;
  Clock::duration busy() const { return Clock::now() - began_.load(); }
  bool is_over() const { return is_over_; }

private:
  void one_operation(std::span<const Operation> all);
  void run_or_recover(const Operation& operation);
  void recover();
  bool is_lost(const Pending& pending);
  void check(const Pending& pending) const;

  Place place_;
  mutable std::mutex place_lock_; ///< against the watchdog
  std::atomic<Clock::time_point> began_{Clock::now()};
  std::atomic<bool> is_over_ = false;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<test::Kernel> kernels_;
  std::deque<Pending> pending_;
  std::vector<const Memory*> touched_; ///< by steps of the operation
};

/// Runs so many operations in a world of its own. Ends the process if an expectation fails.
void run_alone(std::uint64_t seed, std::uint64_t operations);
/// All that failed because limits were low has left nothing broken: each kernel runs without them, and a program builds.
void use_again(Worker& worker);
/// Waits until no more than so many children are left, and for the verdicts of those that are not.
void await_children(Worker& worker, std::size_t remaining);

} // namespace soak
