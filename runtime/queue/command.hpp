#pragma once

// A command in a queue: links that the queue recycles, and the work itself in place.

#include "runtime/object/object.hpp"
#include "runtime/support/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace hostcl::runtime {

class Event;
class Queue;
struct Command;

/// The sum of two estimates in nanoseconds, which may be as large as the type allows.
inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > ~b ? ~std::uint64_t{0} : a + b;
}

/// The work of a command. It owns its resources; all of them are released before the command counts as
/// complete.
class Work {
public:
  virtual ~Work() = default;
  /// Does work that comes before the command itself and takes time, such as compiling a kernel: the command
  /// is CL_SUBMITTED meanwhile. @returns CL_SUCCESS, or the error that run() is not called for.
  virtual cl_int prepare(Queue&) { return CL_SUCCESS; }
  /// @returns CL_COMPLETE, or the negative error that becomes the event's status.
  virtual cl_int run(Queue& queue) = 0;
  /// When the command itself ended, in nanoseconds, if run() has waited for others since; otherwise 0.
  virtual std::uint64_t own_end() const { return 0; }
  /// Appends commands that wait for this one otherwise than by its event. Called before it has run.
  virtual void append_dependants(std::vector<Command*>&) const {}
  /// The name in a timeline; without a title, the type's name.
  virtual std::string_view title() const { return {}; }
  virtual void describe(timeline::Span&) const {}
};

struct Command {
  static constexpr std::size_t work_bytes = 768;
  /// The alignment of the largest OpenCL C type, which kernels may load from their argument block in one
  /// piece.
  static constexpr std::size_t work_alignment = 128;

  // All but `work` is guarded by the queue's lock once the command is in the queue.
  Command* next = nullptr;
  Command* previous = nullptr;
  Command* next_ready = nullptr;
  Command* previous_ready = nullptr;
  Queue* queue = nullptr;
  Work* work = nullptr;
  Ref<Event> event;           ///< null unless a caller or a command uses it
  std::uint64_t sequence = 0; ///< position in the queue, from 1; 0 before it is there
  std::uint64_t estimate = 0; ///< expected nanoseconds
  cl_command_type type = 0;
  cl_uint blockers = 0;           ///< events that it still waits for, and the newest barrier before it
  bool needs_head = false;        ///< runs only when all commands before it are complete
  bool is_barrier = false;        ///< commands after it wait for it
  bool is_ready = false;          ///< in the list of commands that may run
  bool failed_dependency = false; ///< an event that it waited for ended with an error
  bool is_aborted = true;         ///< all such errors come from user events
  std::uint64_t number = 0;       ///< as runtime/checks/commands.hpp has it
  alignas(work_alignment) std::byte storage[work_bytes];

  template <class W, class... Args>
  W& emplace(Args&&... args) {
    static_assert(sizeof(W) <= work_bytes && alignof(W) <= work_alignment);
    auto* made = new (storage) W(std::forward<Args>(args)...);
    work = made;
    return *made;
  }
  void destroy_work() {
    if (work) std::exchange(work, nullptr)->~Work();
  }
};

} // namespace hostcl::runtime
