// Payloads that several semaphores share, possibly in several processes: the counter of an eventfd. Its lower
// half counts signals that no wait has taken. Its upper half counts signals of commands that have failed, so
// that their waits fail instead of hanging. Declared in runtime/semaphore/payload.hpp.

#include "runtime/semaphore/descriptor_poller.hpp"
#include "runtime/semaphore/payload.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/eventfd.h>

namespace hostcl::runtime {

namespace {

constexpr std::uint64_t one_signal = 1, one_failure = std::uint64_t{1} << 32;

class SharedPayload final : public Payload,
                            public WatchedDescriptor,
                            public std::enable_shared_from_this<SharedPayload> {
public:
  explicit SharedPayload(bool is_imported) : is_known_to_others_(is_imported) {}

  bool is_shared() const override { return true; }
  Status prepare_wait() override { return DescriptorPoller::start(); }
  void add_signal(SignalNode signal) noexcept override;
  void add_wait(WaitNode wait) noexcept override;
  void complete(Signal& signal, cl_int outcome) noexcept override;
  void note_waited(cl_int outcome) noexcept override;
  Ref<Event> wait_for(const Signal&) override { return {}; }
  bool is_signaled() override { return events_now(counter_.get()) & POLLIN; }
  Result<int> exported(Context& context) override;
  void own(FileDescriptor descriptor) noexcept override { counter_ = std::move(descriptor); }
  void abandon() noexcept override;

  int descriptor() const override { return counter_.get(); }
  void note_ready(short events) noexcept override;
  bool is_wanted() noexcept override;

private:
  void forget_parents();
  void count_ended_signals();
  void add(std::uint64_t count);
  std::optional<cl_int> take();
  void serve_waits() noexcept;
  void fail_waits() noexcept;

  FileDescriptor counter_; ///< its file is shared by all semaphores with this payload
  Lock lock_;              ///< guards the members below
  SignalNode signals_;     ///< signals that have not been counted yet, in the order of the calls
  WaitNode waits_;         ///< waits of this process by this semaphore
  pid_t process_ = getpid();
  bool is_known_to_others_;
  bool is_abandoned_ = false;
};

/// In a child of fork(), drops the signals and waits of the parent's commands, because only the parent can complete
/// them.
void SharedPayload::forget_parents() {
  if (process_ == getpid()) return;
  process_ = getpid();
  signals_.clear();
  waits_.clear();
}

// ---- Signals

// A signal is counted only after the signals before it, so that a wait for an earlier signal does not get a
// later one.
void SharedPayload::count_ended_signals() {
  while (!signals_.empty() && signals_.front()->outcome != Signal::pending) {
    add(signals_.front()->outcome == CL_COMPLETE ? one_signal : one_failure);
    signals_.pop_front();
  }
}

void SharedPayload::add(std::uint64_t count) {
  // The write fails only if the counter is full, which takes 2^32 failed commands.
  [[maybe_unused]] const auto written = write(counter_.get(), &count, sizeof count);
}

void SharedPayload::add_signal(SignalNode signal) noexcept {
  {
    std::scoped_lock guard(lock_);
    forget_parents();
    signals_.splice(signals_.end(), signal);
    count_ended_signals();
  }
  serve_waits();
}

void SharedPayload::complete(Signal& signal, cl_int outcome) noexcept {
  {
    std::scoped_lock guard(lock_);
    if (signal.outcome != Signal::pending) return;
    signal.outcome = outcome;
    count_ended_signals();
  }
  serve_waits();
}

// ---- Waits

/// Takes a signal out of the counter. @returns its outcome, or nothing if there is none
std::optional<cl_int> SharedPayload::take() {
  const int counter = counter_.get();
  if (counter < 0) return no_signal; // the application has closed it
  std::uint64_t count = 0;
  if (read(counter, &count, sizeof count) != sizeof count) return {};
  const bool has_signal = count % one_failure;
  if (const std::uint64_t rest = count - (has_signal ? one_signal : one_failure)) add(rest);
  return has_signal ? CL_COMPLETE : no_signal;
}

/// Gives the counted signals to the waits of this process.
void SharedPayload::serve_waits() noexcept {
  for (;;) {
    WaitNode served, ended;
    std::optional<cl_int> outcome;
    {
      std::scoped_lock guard(lock_);
      ended = take_ended(waits_);
      if (waits_.empty()) return;
      outcome = take();
      if (!outcome && is_abandoned_ && !is_known_to_others_ && signals_.empty()) outcome = no_signal;
      if (!outcome) return;
      served.splice(served.begin(), waits_, waits_.begin());
    }
    served.front()->advance(*outcome);
  }
}

void SharedPayload::add_wait(WaitNode wait) noexcept {
  {
    std::scoped_lock guard(lock_);
    forget_parents();
    waits_.splice(waits_.end(), wait);
  }
  serve_waits();
  if (is_wanted()) DescriptorPoller::watch(weak_from_this().lock());
}

void SharedPayload::note_waited(cl_int outcome) noexcept {
  if (outcome == CL_COMPLETE) return;
  serve_waits(); // removes waits that have ended without a signal
  DescriptorPoller::note_unwanted(*this);
}

bool SharedPayload::is_wanted() noexcept {
  std::scoped_lock guard(lock_);
  return !waits_.empty();
}

void SharedPayload::note_ready(short events) noexcept {
  if (events & POLLIN)
    serve_waits();
  else
    fail_waits(); // the application has closed our descriptor
}

void SharedPayload::fail_waits() noexcept {
  WaitNode waits;
  {
    std::scoped_lock guard(lock_);
    waits.swap(waits_);
  }
  for (const auto& wait : waits)
    wait->advance(no_signal);
}

// The payload lives on while commands or other semaphores use it.
void SharedPayload::abandon() noexcept {
  {
    std::scoped_lock guard(lock_);
    is_abandoned_ = true;
  }
  serve_waits();
  DescriptorPoller::note_unwanted(*this);
}

Result<int> SharedPayload::exported(Context&) {
  const int descriptor = fcntl(counter_.get(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return fail(CL_OUT_OF_RESOURCES,
                "cannot make a file descriptor for an opaque fd: ", std::strerror(errno));
  std::scoped_lock guard(lock_);
  is_known_to_others_ = true;
  return descriptor;
}

} // namespace

std::shared_ptr<Payload> make_shared_payload(bool is_imported) {
  return std::make_shared<SharedPayload>(is_imported);
}

Result<FileDescriptor> make_shared_descriptor() {
  FileDescriptor counter(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!counter)
    return fail(CL_OUT_OF_RESOURCES, "cannot make a file descriptor for the payload: ", std::strerror(errno));
  return counter;
}

const char* defect_of_shared_descriptor(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return "is not open";
  constexpr const char* foreign = "was not exported from a semaphore";
  if (!(flags & O_NONBLOCK)) return foreign;
  std::array<char, 64> name{};
  const auto length =
      readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), name.data(), name.size());
  // Without /proc the descriptor cannot be checked, so it is accepted.
  if (length >= 0 &&
      std::string_view(name.data(), static_cast<std::size_t>(length)) != "anon_inode:[eventfd]")
    return foreign;
  return nullptr;
}

} // namespace hostcl::runtime
