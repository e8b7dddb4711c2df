#pragma once

// Events: the state of a command, or one that the application sets (user events).

#include "compiler/isolation/own_threads.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hostcl::runtime {

class Queue;
struct Command;

class Event : public HandleObject<_cl_event, Kind::event, CL_INVALID_EVENT> {
public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  /// An event of a command.
  Event(Queue& queue, cl_command_type type);
  /// An event of a command that stands for several, which may be of other queues
  /// (cl_khr_command_buffer_multi_device).
  struct SeveralQueues {
    bool are_several; ///< queues, so that the event is of none
    bool profiled;    ///< one of them is
  };
  Event(Queue& queue, cl_command_type type, SeveralQueues queues);
  /// A user event.
  explicit Event(Context& context);
  ~Event();

  Context& context() const { return *context_; }
  Queue* queue() const { return queue_.get(); }
  bool has_several_queues() const { return has_several_queues_; }
  bool is_user_event() const { return type_ == CL_COMMAND_USER; }
  cl_command_type type() const { return type_; }

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool is_done() const { return status() <= CL_COMPLETE; }

  /// Moves on to a later state and calls its callbacks and dependants. A state already passed is ignored.
  /// Never called under a lock.
  void advance(cl_int status);

  /// Notes that the command's work is done; the time from here to advance(CL_COMPLETE) does not count as its
  /// time.
  /// @param own_end as Work::own_end() has it
  void note_end(std::uint64_t own_end) {
    if (!profiled_) return;
    times_.completed = now_ns();
    times_.ended = own_end ? own_end : times_.completed;
  }

  /// Whether it ended with an error because the application gave a user event one.
  bool is_aborted() const { return is_aborted_; }
  /// Called before advance() to the error.
  void set_aborted() { is_aborted_ = true; }

  /// The number of the command or user event, as runtime/checks/commands.hpp has it.
  std::uint64_t number() const { return number_; }
  void set_number(std::uint64_t number) { number_ = number; }

  /// The command's position in its queue.
  std::uint64_t sequence() const { return sequence_; }
  /// The command, until it is complete; read and set under the lock of its queue.
  Command* command() const { return command_; }
  void set_command(Command* command, std::uint64_t sequence) {
    command_ = command;
    sequence_ = sequence;
  }

  /// clSetUserEventStatus: false if a status has been set before.
  bool set_user_status(cl_int status);

  /// Calls back when the command has reached `type`; at once if it has.
  void add_callback(cl_int type, Callback callback, void* user_data);

  /// Lets the command wait. @returns false if the event is done and there is nothing to wait for.
  bool add_dependant(Command& command);
  /// Removes the command once, if it waits more than once. @returns false if the event has begun to tell its
  /// dependants.
  bool remove_dependant(Command& command);

  /// A list of events whose callbacks a thread has put off, each with a reference.
  struct Deferred {
    Event* first = nullptr;
    Event* last = nullptr;
  };
  /// Takes the calling thread's list.
  static Deferred take_deferred();
  /// Calls back the events of another thread's list, on this one.
  static void call_deferred(Deferred list);

  /// Commands that wait for it.
  std::vector<Command*> dependants();

  /// Blocks until the event is done; runs commands of its queue meanwhile.
  void wait();
  /// The status, for the application. The queue does not report a failure again that the application learns
  /// of here.
  cl_int tell_status() const;

  Status info(cl_event_info name, Answer answer) const;
  Status profiling_info(cl_profiling_info name, Answer answer) const;

  struct Times {
    std::uint64_t queued = 0, submitted = 0, started = 0, ended = 0, completed = 0;
  };
  const Times& times() const { return times_; }

private:
  struct Registered {
    cl_int type;
    Callback callback;
    void* user_data;
    SignalMask mask; ///< of the thread that registered it
  };

  void take_time(cl_int status);
  void call_back();
  static void call_deferred();
  void run_callbacks();
  void wait_for_user();
  bool take_callback(std::size_t& position, Registered& taken);

  Ref<Context> context_;
  Ref<Queue> queue_;
  cl_command_type type_;
  std::atomic<cl_int> status_;
  std::atomic<bool> user_status_set_{false};
  bool profiled_;
  bool has_several_queues_ = false;
  bool is_aborted_ = false;
  bool is_deferred_ = false; ///< in a thread's list of those to call back; guarded by lock_
  Event* next_deferred_ = nullptr;
  Command* command_ = nullptr;
  std::atomic<std::uint64_t> sequence_{0};
  Lock lock_;                         ///< guards the members below, and changes of status_
  std::vector<Registered> callbacks_; ///< those that have been called are null
  std::vector<Command*> dependants_;
  Times times_;
  std::uint64_t number_ = 0;
};

/// A wait list of an enqueue call, checked: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
struct WaitList {
  const cl_event* events = nullptr;
  cl_uint count = 0;

  static Result<WaitList> checked(const Context& context, cl_uint count, const cl_event* events);
  /// The same for functions that do not take an event that has failed already:
  /// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
  static Result<WaitList> good(const Context& context, cl_uint count, const cl_event* events);
  Event& operator[](cl_uint i) const { return static_cast<Event&>(*events[i]); }
};

} // namespace hostcl::runtime
