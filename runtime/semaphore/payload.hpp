#pragma once

// The state of a semaphore, in which its signals and waits meet. No thread waits: the command of a wait waits
// for an event of the driver's, which the payload completes when the wait has got its signal.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/result.hpp"

#include <list>
#include <memory>

namespace hostcl::runtime {

/// One semaphore's part of a signal command. Guarded by the lock of the payload.
struct Signal {
  static constexpr cl_int pending = CL_QUEUED;
  cl_int outcome = pending; ///< CL_COMPLETE, or an error of a command that did not run
  Ref<Event> wait;          ///< the wait that it is for, once there is one and while it is pending
};

/// Lists of one element: what is enqueued has a place in the payload's list already.
using SignalNode = std::list<std::shared_ptr<Signal>>;
using WaitNode = std::list<Ref<Event>>;

/// The status of waits that get no signal.
inline constexpr cl_int no_signal = CL_INVALID_SEMAPHORE_KHR;

class Payload {
public:
  virtual ~Payload() = default;

  /// Whether other semaphores, perhaps of other processes, use it as well. Then a wait begins when all that
  /// its command waits for is done, and not before: it takes a signal that others could take.
  virtual bool is_shared() const = 0;
  /// Does what may fail of a wait, before its command is enqueued.
  virtual Status prepare_wait() = 0;

  // Signals and waits come in the order of the application's calls, each once its command is enqueued.
  virtual void add_signal(SignalNode signal) noexcept = 0;
  virtual void add_wait(WaitNode wait) noexcept = 0;
  /// A signal's command has run, or will not; a signal that is complete stays as it is.
  virtual void complete(Signal& signal, cl_int outcome) noexcept = 0;
  /// The command of a wait has ended; `outcome` is what the wait got.
  virtual void note_waited(cl_int outcome) noexcept = 0;
  /// The wait that a signal is for, if that is known.
  virtual Ref<Event> wait_for(const Signal& signal) = 0;

  /// CL_SEMAPHORE_PAYLOAD_KHR: whether there is a signal that no wait has taken.
  virtual bool is_signaled() = 0;
  /// A new descriptor, the application's, or -1 for what has been signalled.
  virtual Result<int> exported(Context& context) = 0;
  /// Gives an imported payload its descriptor, which may be -1.
  virtual void own(FileDescriptor descriptor) noexcept = 0;
  /// The semaphore is gone: waits that can never be signalled any more fail.
  virtual void abandon() noexcept = 0;
};

/// The payload of a single semaphore: the k-th wait matches the k-th signal.
std::shared_ptr<Payload> make_paired_payload();
/// The same, whose first signal is that the descriptor of own() can be read: CL_SEMAPHORE_HANDLE_SYNC_FD_KHR.
std::shared_ptr<Payload> make_fence_payload();
/// The payload of all semaphores that share it: CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR. Gets its descriptor with own().
/// @param is_imported whether others have it from the start
std::shared_ptr<Payload> make_shared_payload(bool is_imported);
/// A descriptor for it.
Result<FileDescriptor> make_shared_descriptor();

/// Whether a number from the application is a descriptor of the kind; an open one of any kind that can be
/// polled, or -1, is a fence. @returns what is wrong with it, or null
const char* defect_of_shared_descriptor(int descriptor);
const char* defect_of_fence(int descriptor);

} // namespace hostcl::runtime
