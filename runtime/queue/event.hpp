#pragma once

// Events: the state of a command, or a state that the application sets (user events).

#include "compiler/isolation/own_threads.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace hostcl::runtime {

class Queue;
struct Command;

/// An event. The application and the command that it belongs to hold references to it; all methods may be
/// called from any thread. Its status only ever decreases, from CL_QUEUED to CL_COMPLETE or an error.
class Event : public HandleObject<_cl_event, Kind::event, CL_INVALID_EVENT> {
public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  /// Makes the event of a command.
  Event(Queue& queue, cl_command_type type);
  /// Makes the event of a command that stands for commands of several queues
  /// (cl_khr_command_buffer_multi_device).
  struct SeveralQueues {
    bool are_several; ///< the commands belong to more than one queue, so CL_EVENT_COMMAND_QUEUE is null
    bool profiled;    ///< one of the queues has profiling enabled
  };
  Event(Queue& queue, cl_command_type type, SeveralQueues queues);
  /// Makes a user event.
  explicit Event(Context& context);
  ~Event();

  Context& context() const;
  Queue* queue() const { return queue_.get(); }
  bool has_several_queues() const { return has_several_queues_; }
  bool is_user_event() const { return type_ == CL_COMMAND_USER; }
  cl_command_type type() const { return type_; }

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool is_done() const { return status() <= CL_COMPLETE; }

  /// Sets a later status, and then calls callbacks and tells the commands that wait for the event. If the event already
  /// has this status or a later one, or is done, nothing happens. Never called with a lock held.
  void advance(cl_int status);
  /// What tell() has to do after a change of the status.
  struct Change {
    bool is_made = false; ///< false if nothing has changed
    bool has_callbacks = false;
    std::vector<Command*> dependants;
  };
  /// The two halves of advance(). The first one may be called with the lock of a queue held.
  /// @param limit nothing happens either if the event has this status or a later one
  Change change(cl_int status, cl_int limit = CL_COMPLETE);
  void tell(const Change& change);
  /// Called by make_object().
  void begun() {
    if (is_user_event()) context_->user_events().add(place_);
  }

  /// Called when the command's work is done: time from here to advance(CL_COMPLETE) is not part of the
  /// command's profiling times.
  /// @param own_end see Work::own_end()
  void note_end(std::uint64_t own_end) {
    if (!profiled_) return;
    times_.completed = now_ns();
    times_.ended = own_end ? own_end : times_.completed;
  }

  /// Whether the command failed only because the application set a user event to an error.
  bool is_aborted() const { return is_aborted_; }
  /// Called before advance() to an error.
  void set_aborted() { is_aborted_ = true; }

  /// The number of the command or user event in the check `commands` (runtime/checks/commands.hpp); 0 without
  /// the check.
  std::uint64_t number() const { return number_; }
  void set_number(std::uint64_t number) { number_ = number; }

  /// The sequence number of the command in its queue.
  std::uint64_t sequence() const { return sequence_; }
  /// The command; valid while the event is not done. Read and set with the lock of the command's queue held.
  Command* command() const { return command_; }
  void set_command(Command* command, std::uint64_t sequence) {
    command_ = command;
    sequence_ = sequence;
  }

  /// clSetUserEventStatus(). Has no effect if the context has been terminated. @returns false if a status has been set
  /// before
  bool set_user_status(cl_int status);

  /// Registers a callback for the time when the event reaches status `type`. If it has done so, the callback
  /// is called at once.
  void add_callback(cl_int type, Callback callback, void* user_data);

  /// Makes the command wait for the event. @returns false if the event is done, so that there is nothing to
  /// wait for
  bool add_dependant(Command& command);
  /// Removes the command once from the list, even if it waits for the event more than once. @returns false if
  /// the list no longer has the command, because the event is telling its dependants that it is done
  bool remove_dependant(Command& command);

  /// A list of events whose callbacks a thread has deferred, with a reference to each.
  struct Deferred {
    Event* first = nullptr;
    Event* last = nullptr;
  };
  /// Takes the calling thread's list, which is empty afterwards.
  static Deferred take_deferred();
  /// Calls the callbacks of events in another thread's list, on the calling thread.
  static void call_deferred(Deferred list);

  /// The commands that wait for the event.
  std::vector<Command*> dependants();

  /// Blocks until the event is done. Runs commands of the event's queue in the meantime.
  void wait();
  /// The status that an API call returns to the application. If it is an error, the queue does not report the
  /// failure again.
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
    /// Signal mask of the thread that registered the callback, which the callback is called with.
    SignalMask mask;
  };

  void take_time(cl_int status);
  void call_back();
  bool call_back_later(std::chrono::microseconds delay);
  void call_back_now();
  static void call_deferred();
  void run_callbacks();
  void wait_for_user();
  bool take_callback(std::size_t& position, Registered& taken);

  Ref<Context> context_; ///< null if there is a queue, which holds its context
  Ref<Queue> queue_;
  cl_command_type type_;
  std::atomic<cl_int> status_;
  std::atomic<bool> user_status_set_{false};
  bool profiled_;
  bool has_several_queues_ = false;
  std::atomic<bool> is_aborted_ = false;
  bool is_deferred_ = false; ///< whether it is in some thread's list of deferred events; guarded by lock_
  Event* next_deferred_ = nullptr;
  Command* command_ = nullptr;
  std::atomic<std::uint64_t> sequence_{0};
  Lock lock_;                         ///< guards the members below, and changes of status_
  std::vector<Registered> callbacks_; ///< callbacks that have been called are null
  std::vector<Command*> dependants_;
  Times times_;
  std::uint64_t number_ = 0;
  UserEvents::Place place_; ///< used if this is a user event
};

/// Whether the application has asked for the error, by clTerminateContextKHR() or clCancelCommandsIMG().
inline bool is_asked_for(cl_int status) {
  return status == CL_CONTEXT_TERMINATED_KHR || status == CL_CANCELLED_IMG;
}

/// The wait list of an enqueue call, after it has been checked. It refers to the caller's array.
struct WaitList {
  const cl_event* events = nullptr;
  cl_uint count = 0;

  /// Errors: CL_CONTEXT_TERMINATED_KHR, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. So each call that enqueues a
  /// command fails in a context that has been terminated.
  static Result<WaitList> checked(const Context& context, cl_uint count, const cl_event* events);
  /// checked() for functions that refuse a list with an event that has already failed, by
  /// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
  static Result<WaitList> good(const Context& context, cl_uint count, const cl_event* events);
  Event& operator[](cl_uint i) const { return static_cast<Event&>(*events[i]); }
};

} // namespace hostcl::runtime
