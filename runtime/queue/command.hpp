#pragma once

// A command of a queue: an object that the queue recycles, with the command's work inside.

#include "runtime/object/object.hpp"
#include "runtime/support/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace hostcl::runtime {

class Event;
class Memory;
class Queue;
struct Command;

/// The sum of two estimates in nanoseconds, at most the largest value of the type, which stands for
/// `unknown`.
inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > ~b ? ~std::uint64_t{0} : a + b;
}

/// What a command does. The work owns the resources that it needs, and they are released before the command
/// counts as complete.
class Work {
public:
  virtual ~Work() = default;
  /// Prepares the work: does what takes time and precedes the command itself, such as compiling a kernel. During this,
  /// the command's status is CL_SUBMITTED.
  /// @returns CL_SUCCESS, or an error; run() is not called after an error
  virtual cl_int prepare(Queue&) { return CL_SUCCESS; }
  /// @returns CL_COMPLETE, or a negative error, which becomes the event's status
  virtual cl_int run(Queue& queue) = 0;
  /// If run() waits for other commands after the command's own part: the time in nanoseconds when that part
  /// ended. Otherwise 0.
  virtual std::uint64_t own_end() const { return 0; }
  /// Appends the commands that wait for this command, but not by its event. Called before run() has returned.
  virtual void append_dependants(std::vector<Command*>&) const {}
  /// Appends the events of other commands that are cancelled together with this command.
  virtual void append_parts(std::vector<Ref<Event>>&) const {}
  /// The memory objects that the device of the command's queue has to support; some references may be null. Empty for
  /// launches, whose objects are in the launch record.
  virtual std::span<const Ref<Memory>> memory() const { return {}; }
  /// The name in the timeline; if empty, the name of the command's type is used.
  virtual std::string_view title() const { return {}; }
  virtual void describe(timeline::Span&) const {}
};

/// A command, owned by the queue that allocated it.
struct Command {
  static constexpr std::size_t work_bytes = 768;
  /// The alignment of the largest type of OpenCL C, double16: a kernel may load an argument of this type from
  /// its argument block as one aligned vector.
  static constexpr std::size_t work_alignment = 128;

  // Once the command is in the queue, the queue's lock guards all members but `work` and `storage`.
  Command* next = nullptr;
  Command* previous = nullptr;
  Command* next_ready = nullptr;
  Command* previous_ready = nullptr;
  Queue* queue = nullptr;
  Work* work = nullptr;
  Ref<Event> event;           ///< null if neither the application nor the driver uses the event
  std::uint64_t sequence = 0; ///< sequence number in the queue, from 1; 0 before the command is in the queue
  std::uint64_t estimate = 0; ///< expected nanoseconds
  cl_command_type type = 0;
  cl_uint blockers = 0;    ///< number of events that the command waits for, plus 1 if it waits for a barrier
  bool needs_head = false; ///< may run only if all commands before it are complete
  bool is_barrier = false; ///< commands after it wait until it is complete
  bool is_ready = false;   ///< it is in the list of ready commands
  bool is_aborted = true;  ///< all errors of events that it waited for come from user events
  cl_int failure = CL_SUCCESS; ///< the error with which it ends without having run
  /// Number in the check `commands` (runtime/checks/commands.hpp); 0 without the check.
  std::uint64_t number = 0;
  alignas(work_alignment) std::byte storage[work_bytes];

  template <class W, class... Args>
  W& emplace(Args&&... args) {
    static_assert(sizeof(W) <= work_bytes && alignof(W) <= work_alignment);
    auto* made = new (storage) W(std::forward<Args>(args)...);
    work = made;
    return *made;
  }
  /// Called before the command is in a queue.
  /// @param error the error with which the command ends without having run, or CL_SUCCESS
  void begin(cl_int error) {
    failure = error;
    is_aborted = error == CL_SUCCESS; // a failed event that the command waits for may still change this
  }
  void destroy_work() {
    if (work) std::exchange(work, nullptr)->~Work();
  }
};

} // namespace hostcl::runtime
