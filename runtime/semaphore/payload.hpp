#pragma once

// The payload of a semaphore: its state, which gives each signal to a wait. No thread blocks in a wait: the command of
// a wait waits for an internal event, which the payload completes when it gives a signal to the wait.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/result.hpp"

#include <list>
#include <memory>

namespace hostcl::runtime {

/// The signal of one semaphore by a signal command. Guarded by the lock of the payload.
struct Signal {
  static constexpr cl_int pending = CL_QUEUED;
  cl_int outcome = pending; ///< CL_COMPLETE, or the error of a command that did not run
  Ref<Event> wait;          ///< the wait that gets this signal, if there is one and the signal is pending
};

/// Lists of one element. They are created before the command is enqueued, so that moving the element to a list of the
/// payload needs no memory.
using SignalNode = std::list<std::shared_ptr<Signal>>;
using WaitNode = std::list<Ref<Event>>;

/// Removes waits that have ended without a signal, because their command was cancelled or their context terminated.
/// @returns them, to be released without a lock held
inline WaitNode take_ended(WaitNode& waits) noexcept {
  WaitNode ended;
  for (auto wait = waits.begin(); wait != waits.end();)
    if (const auto now = wait++; (*now)->is_done()) ended.splice(ended.end(), waits, now);
  return ended;
}

/// The status of a wait that gets no signal.
inline constexpr cl_int no_signal = CL_INVALID_SEMAPHORE_KHR;

/// The payload of one or several semaphores. The commands that signal these semaphores or wait for them use it, too.
/// Any thread may call its methods.
class Payload {
public:
  virtual ~Payload() = default;

  /// Whether other semaphores, possibly of other processes, share the payload. If so, a wait must not begin before
  /// everything that its command waits for is done: a wait takes a signal, which the other semaphores could use in the
  /// meantime.
  virtual bool is_shared() const = 0;
  /// The part of a wait that may fail. Called before the wait's command is enqueued.
  virtual Status prepare_wait() = 0;

  // Signals and waits must be added in the order of the application's calls, each after its command has been enqueued.
  virtual void add_signal(SignalNode signal) noexcept = 0;
  virtual void add_wait(WaitNode wait) noexcept = 0;
  /// Called when the command of a signal has run, or will never run. Has no effect on a signal that is complete
  /// already.
  virtual void complete(Signal& signal, cl_int outcome) noexcept = 0;
  /// Called when the command of a wait has ended. @param outcome status of the wait
  virtual void note_waited(cl_int outcome) noexcept = 0;
  /// The wait that gets the signal; null if that is not known yet.
  virtual Ref<Event> wait_for(const Signal& signal) = 0;

  /// CL_SEMAPHORE_PAYLOAD_KHR: whether there is a signal that no wait has taken.
  virtual bool is_signaled() = 0;
  /// A new descriptor that belongs to the application; -1 if the semaphore has been signalled.
  virtual Result<int> exported(Context& context) = 0;
  /// Passes the imported descriptor to the payload. The descriptor may be -1.
  virtual void own(FileDescriptor descriptor) noexcept = 0;
  /// Called when the semaphore is destroyed: waits that can no longer be signalled fail.
  virtual void abandon() noexcept = 0;
};

/// The payload of a single semaphore: the k-th wait gets the k-th signal.
std::shared_ptr<Payload> make_paired_payload();
/// A payload of a single semaphore with an imported fence (CL_SEMAPHORE_HANDLE_SYNC_FD_KHR). Its first signal happens
/// when the descriptor passed to own() can be read.
std::shared_ptr<Payload> make_fence_payload();
/// A payload that several semaphores share (CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR). own() passes the descriptor to it.
/// @param is_imported whether other semaphores have the descriptor from the start
std::shared_ptr<Payload> make_shared_payload(bool is_imported);
/// Makes a descriptor for a shared payload.
Result<FileDescriptor> make_shared_descriptor();

/// Whether the application may import this descriptor. A fence is -1, or any open descriptor that can be
/// polled.
/// @returns the reason why it may not, or null
const char* defect_of_shared_descriptor(int descriptor);
const char* defect_of_fence(int descriptor);

} // namespace hostcl::runtime
