// Payloads of a single semaphore, which match each signal with a wait. An exported fence is a descriptor that
// can be read once a signal has happened, and is never reset: the reading end of a pipe. The signal writes a
// byte. If the signal does not happen, or the process ends, the writing end is closed without a byte.
// Declared in runtime/semaphore/payload.hpp.

#include "runtime/semaphore/descriptor_poller.hpp"
#include "runtime/semaphore/payload.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include <fcntl.h>

namespace hostcl::runtime {

namespace {

class PairedPayload final : public Payload,
                            public WatchedDescriptor,
                            public std::enable_shared_from_this<PairedPayload> {
public:
  explicit PairedPayload(bool is_imported);

  bool is_shared() const override { return false; }
  Status prepare_wait() override;
  void add_signal(SignalNode signal) noexcept override;
  void add_wait(WaitNode wait) noexcept override;
  void complete(Signal& signal, cl_int outcome) noexcept override;
  void note_waited(cl_int outcome) noexcept override;
  Ref<Event> wait_for(const Signal& signal) override;
  bool is_signaled() override;
  Result<int> exported(Context& context) override;
  void own(FileDescriptor descriptor) noexcept override;
  void abandon() noexcept override;

  int descriptor() const override { return fence_.get(); }
  void note_ready(short events) noexcept override;
  bool is_wanted() noexcept override;

private:
  bool take_signal();

  FileDescriptor fence_;             ///< of the first signal, if it is imported
  std::shared_ptr<Signal> imported_; ///< the first signal, if it is imported; else null
  Lock lock_;                        ///< guards the members below
  SignalNode signals_;               ///< signals without a wait; empty if there are waits
  WaitNode waits_;                   ///< waits without a signal
  cl_ulong signaled_ = 0;            ///< signals that have happened and that no wait has taken
  bool is_abandoned_ = false;
};

PairedPayload::PairedPayload(bool is_imported) {
  if (!is_imported) return;
  imported_ = std::make_shared<Signal>();
  signals_.push_back(imported_);
}

void PairedPayload::own(FileDescriptor descriptor) noexcept {
  fence_ = std::move(descriptor);
  if (!fence_) complete(*imported_, CL_COMPLETE);
}

// ---- Signals and waits

void PairedPayload::add_signal(SignalNode signal) noexcept {
  WaitNode ended; // released after the lock, as `wait` is
  Ref<Event> wait;
  cl_int outcome;
  {
    std::scoped_lock guard(lock_);
    ended = take_ended(waits_);
    if (waits_.empty()) {
      signals_.splice(signals_.end(), signal);
      return;
    }
    wait = std::move(waits_.front());
    waits_.pop_front();
    outcome = signal.front()->outcome;
    if (outcome == Signal::pending) {
      signal.front()->wait = std::move(wait);
      return;
    }
  }
  wait->advance(outcome);
}

void PairedPayload::add_wait(WaitNode wait) noexcept {
  cl_int outcome = no_signal;
  {
    std::scoped_lock guard(lock_);
    if (signals_.empty() && !is_abandoned_) {
      waits_.splice(waits_.end(), wait);
      return;
    }
    if (!signals_.empty()) {
      const std::shared_ptr<Signal> signal = std::move(signals_.front());
      signals_.pop_front();
      outcome = signal->outcome;
      if (outcome == Signal::pending) {
        signal->wait = std::move(wait.front());
        return;
      }
    }
  }
  wait.front()->advance(outcome);
}

void PairedPayload::complete(Signal& signal, cl_int outcome) noexcept {
  Ref<Event> wait;
  {
    std::scoped_lock guard(lock_);
    if (signal.outcome != Signal::pending) return;
    signal.outcome = outcome;
    wait = std::move(signal.wait);
    // A wait that has ended already does not call note_waited(CL_COMPLETE).
    if (outcome == CL_COMPLETE && !(wait && wait->is_done())) ++signaled_;
  }
  if (wait) wait->advance(outcome);
}

void PairedPayload::note_waited(cl_int outcome) noexcept {
  if (outcome != CL_COMPLETE) return;
  std::scoped_lock guard(lock_);
  --signaled_;
}

Ref<Event> PairedPayload::wait_for(const Signal& signal) {
  std::scoped_lock guard(lock_);
  return signal.wait;
}

bool PairedPayload::is_signaled() {
  if (fence_)
    if (const short events = events_now(fence_.get())) note_ready(events);
  std::scoped_lock guard(lock_);
  return signaled_ > 0;
}

void PairedPayload::abandon() noexcept {
  WaitNode waits;
  {
    std::scoped_lock guard(lock_);
    is_abandoned_ = true;
    waits.swap(waits_);
  }
  for (const auto& wait : waits)
    wait->advance(no_signal);
  if (fence_) DescriptorPoller::note_unwanted(*this);
}

// ---- An imported fence

Status PairedPayload::prepare_wait() {
  if (!is_wanted()) return {};
  TRY(DescriptorPoller::start());
  DescriptorPoller::watch(shared_from_this());
  return {};
}

void PairedPayload::note_ready(short events) noexcept {
  complete(*imported_, events & POLLIN ? CL_COMPLETE : no_signal);
}

bool PairedPayload::is_wanted() noexcept {
  if (!fence_) return false;
  std::scoped_lock guard(lock_);
  return imported_->outcome == Signal::pending && (imported_->wait || !is_abandoned_);
}

// ---- Exported fences

/// The data of an exported fence until its signal has happened.
struct ExportedFence {
  std::shared_ptr<PairedPayload> payload;
  /// The driver keeps a reading end, so that a write raises no SIGPIPE if the application has closed its own.
  FileDescriptor reading_end;
  FileDescriptor writing_end;
};

void CL_CALLBACK end_fence(cl_event, cl_int outcome, void* data) {
  const std::unique_ptr<ExportedFence> fence(static_cast<ExportedFence*>(data));
  fence->payload->note_waited(outcome);
  if (outcome != CL_COMPLETE) return;
  const char byte = 0;
  // This write does not block, because the pipe is empty.
  [[maybe_unused]] const auto written = write(fence->writing_end.get(), &byte, sizeof byte);
}

/// Removes the first signal if it has happened and no wait gets it. @returns whether it was removed
bool PairedPayload::take_signal() {
  std::scoped_lock guard(lock_);
  if (signals_.empty() || signals_.front()->outcome != CL_COMPLETE) return false;
  signals_.pop_front();
  --signaled_;
  return true;
}

Result<int> PairedPayload::exported(Context& context) {
  if (take_signal()) return -1;
  auto fence = std::make_unique<ExportedFence>();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return fail(CL_OUT_OF_RESOURCES, "cannot make file descriptors for a sync fd: ", std::strerror(errno));
  fence->reading_end = FileDescriptor(ends[0]);
  fence->writing_end = FileDescriptor(ends[1]);
  FileDescriptor own(fcntl(ends[0], F_DUPFD_CLOEXEC, 0));
  if (!own)
    return fail(CL_OUT_OF_RESOURCES, "cannot make a file descriptor for a sync fd: ", std::strerror(errno));
  fence->payload = shared_from_this();
  const Ref<Event> wait = make_object<Event>(context);
  WaitNode node{wait};
  wait->add_callback(CL_COMPLETE, end_fence, fence.get());
  [[maybe_unused]] const auto* given = fence.release();
  add_wait(std::move(node));
  return own.detach();
}

} // namespace

std::shared_ptr<Payload> make_paired_payload() {
  return std::make_shared<PairedPayload>(false);
}

std::shared_ptr<Payload> make_fence_payload() {
  return std::make_shared<PairedPayload>(true);
}

const char* defect_of_fence(int descriptor) {
  if (descriptor == -1) return nullptr;
  if (descriptor < 0) return "is negative; only -1, which stands for a fence that is signalled, may be";
  if (events_now(descriptor) & POLLNVAL) return "is not open";
  return nullptr;
}

} // namespace hostcl::runtime
