// The longjmp() of _FORTIFY_SOURCE refuses to jump from the stack of a signal handler to a stack at a higher address.
#undef _FORTIFY_SOURCE
#include "compiler/isolation/guard.hpp"

#include "compiler/isolation/code_place.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/trap_handler.hpp"

#include <array>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// The C++ library's functions that begin and end the initialisation of a static object of a function. The linker option
// --wrap replaces their calls in the driver, LLVM included, by calls of the __wrap_ functions below.
extern "C" {
int __real___cxa_guard_acquire(__cxxabiv1::__guard* guard);           // NOLINT(bugprone-reserved-identifier)
void __real___cxa_guard_release(__cxxabiv1::__guard* guard) noexcept; // NOLINT(bugprone-reserved-identifier)
void __real___cxa_guard_abort(__cxxabiv1::__guard* guard) noexcept;   // NOLINT(bugprone-reserved-identifier)
}

namespace hostcl::compiler {

namespace {

/// The C++ library's state of a thread's exceptions, with the layout that the Itanium C++ ABI gives it.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};

ExceptionState& exception_state() {
  return *reinterpret_cast<ExceptionState*>(__cxxabiv1::__cxa_get_globals());
}

/// Where the thread continues when guarded work is left, and the thread's state there.
struct Point {
  sigjmp_buf place;
  Point* outer;
  HeldLock* locks;
  Failure* failure;
  ExceptionState exceptions;
  std::size_t initialisations;
  int step;
};

/// The guard variables of the static objects that a thread is initialising, the innermost last. If the thread left an
/// initialisation without ending it, all threads that need the object later would wait for ever.
class Initialisations {
public:
  std::size_t count() const { return count_; }
  void begin(__cxxabiv1::__guard* guard) {
    if (count_ < guards_.size()) guards_[count_++] = guard;
  }
  void end(__cxxabiv1::__guard* guard) {
    if (count_ > 0 && guards_[count_ - 1] == guard) --count_;
  }
  /// Gives up all initialisations but the first `kept` ones, so that another thread begins them anew.
  void leave(std::size_t kept) {
    while (count_ > kept)
      if (__cxxabiv1::__guard* guard = guards_[--count_]; !is_initialised(*guard))
        __real___cxa_guard_abort(guard);
  }

private:
  /// The first byte of a guard says so (Itanium C++ ABI, and its Arm version).
  static bool is_initialised(const __cxxabiv1::__guard& guard) {
    return reinterpret_cast<const char&>(guard) != 0;
  }

  std::array<__cxxabiv1::__guard*, 16> guards_{};
  std::size_t count_ = 0;
};

struct ThreadState {
  GuardedThread* thread = nullptr;
  Point* innermost = nullptr;
  HeldLock* locks = nullptr;
  Initialisations initialisations;
  int step = 0;                  ///< 0, or LongStep::Kind plus 1
  const void* chained = nullptr; ///< signal context that a handler of the application was called with
  char* chained_frame = nullptr;
  const void* chained_handler = nullptr; ///< the Replaced that was called
};

/// Initial-exec: signal handlers read it on any thread, and the first access to other thread-local variables
/// may allocate.
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadState state;

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

/// A handler that the driver's handler has replaced.
struct Replaced {
  struct sigaction action;
  const Replaced* earlier; ///< what an earlier handler of the driver had replaced
  /// Whether a handler that is called once (SA_RESETHAND) has been called.
  mutable std::atomic<bool> is_spent{false};

  /// The action that the system would take; null if that is to end the process.
  const struct sigaction* take() const {
    const bool is_over = (action.sa_flags & SA_RESETHAND) && is_spent.exchange(true);
    return is_over || action.sa_handler == SIG_DFL ? nullptr : &action;
  }
};

/// The last replaced handler of each signal. Replaced handlers are never freed, because a signal handler may be reading
/// one of them.
std::array<std::atomic<const Replaced*>, NSIG> replaced;

/// Its address identifies the signals that interrupt() sends.
constinit char interruption_mark = 0;

/// A stack that overflows in a shared library is enlarged in steps of this size. The lowest part of the guard, of the
/// same size, stays inaccessible.
constexpr std::size_t step_bytes = 128u << 10;

/// Has the CPU raise SIGTRAP after each instruction of the interrupted code, where a CPU can do so for a process.
void step_singly([[maybe_unused]] ucontext_t& context) {
#if defined(__x86_64__)
  constexpr greg_t trap_flag = 0x100;
  if (comes_first(SIGTRAP)) context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
#endif
}

/// Whether the thread is in a LongStep of the compiler.
bool is_in_compiler() {
  return state.step == 1 + static_cast<int>(LongStep::Kind::compiler);
}

const char* name_of(int signal) {
  constexpr std::pair<int, const char*> crashes[] = {
      {SIGSEGV, "it crashed: invalid access to memory"},
      {SIGBUS, "it crashed: access to memory that is not mapped (SIGBUS)"},
      {SIGILL, "it crashed: invalid instruction"},
      {SIGFPE, "it crashed: division by zero"},
      {SIGTRAP, "it crashed: trap"},
  };
  for (const auto& [number, reason] : crashes)
    if (number == signal) return reason;
  return "it crashed: an exception was not caught";
}

} // namespace

struct Handling {
  /// Leaves guarded work if the signal was raised by guarded work. @returns false if the signal belongs to
  /// other code
  static bool take(int signal, const siginfo_t& info, ucontext_t& context) {
    const bool is_interruption = info.si_code == SI_QUEUE && info.si_value.sival_ptr == &interruption_mark;
    if (!state.thread || !state.innermost) return is_interruption;
    const Place place = place_of(program_counter(context));
    if (is_interruption) {
      interrupted(place);
      return true;
    }
    if (signal == SIGTRAP && state.thread->has_overflowed_) {
      if (place == Place::library) return true;
      leave(too_deep);
    }
    // abort() only ends guarded work if it is called for an uncaught exception. malloc() also calls abort() if it finds
    // damaged memory, and then holds its lock.
    if (signal == SIGABRT ? !is_uncaught_exception(info) : info.si_code <= 0) return false;
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(info.si_addr) -
                                  reinterpret_cast<std::uintptr_t>(state.thread->guard_);
    const bool overflows = (signal == SIGSEGV || signal == SIGBUS) && offset < state.thread->guard_bytes_;
    if (overflows && place == Place::library && enlarge_stack(offset, context)) return true;
    // LLVM calls malloc() directly in a few places, and does not look at the result.
    const bool lacks_memory = state.thread->lacks_memory_ || errno == ENOMEM;
    leave(overflows ? too_deep : lacks_memory ? out_of_memory : name_of(signal));
  }

  static constexpr const char* too_deep = "the program is nested too deeply";

  [[noreturn]] static void leave(const char* reason) {
    Point& point = *state.innermost;
    std::strncpy(point.failure->reason, reason, sizeof point.failure->reason - 1);
    state.thread->was_left_ = true;
    state.thread->reason_ = nullptr;
    siglongjmp(point.place, 1);
  }

private:
  static bool is_uncaught_exception(const siginfo_t& info) {
    const ExceptionState& exceptions = exception_state();
    return info.si_code == SI_TKILL && info.si_pid == getpid() &&
           (exceptions.caught || exceptions.uncaught > 0);
  }

  static void interrupted(Place place) {
    GuardedThread& thread = *state.thread;
    if (state.step == 0) return;
    const bool may_leave =
        thread.anywhere_ || place == Place::generated || (place == Place::driver && is_in_compiler());
    if (const char* reason = may_leave ? thread.reason_.load() : nullptr) leave(reason);
  }

  /// Enlarges the stack: if the stack overflows in malloc(), malloc() may hold its lock, and has to return first. The
  /// work is left when the function of the shared library has returned; on a CPU without single steps, when the stack
  /// overflows again.
  /// @param offset of the overflow in the guard
  static bool enlarge_stack(std::size_t offset, ucontext_t& context) {
    const std::size_t begin = offset / step_bytes * step_bytes;
    if (begin == 0 || !state.thread->protect_guard(begin, PROT_READ | PROT_WRITE)) return false;
    state.thread->has_overflowed_ = true;
    step_singly(context);
    return true;
  }
};

namespace {

void end_as_without_handler(int signal, const siginfo_t& info) {
  std::signal(signal, SIG_DFL);
  // A fault happens again when the handler returns.
  if (info.si_code <= 0 || signal == SIGTRAP) raise(signal);
}

/// Calls the handler that the driver's handler has replaced.
void pass_on(int signal, siginfo_t* info, void* context) {
  auto* frame = static_cast<char*>(__builtin_frame_address(0));
  // The driver's handler may have called a handler of the application that calls the driver's handler in turn, because
  // it was installed when the driver's handler was there. The handler of the application then expects the handler that
  // the driver's had replaced at that time.
  const bool comes_back = state.chained == context && frame < state.chained_frame;
  const Replaced* handler = comes_back ? static_cast<const Replaced*>(state.chained_handler)->earlier
                                       : replaced[static_cast<std::size_t>(signal)].load();
  const struct sigaction* next = handler ? handler->take() : nullptr;
  if (!next) {
    end_as_without_handler(signal, *info);
    return;
  }
  if (next->sa_handler == SIG_IGN) {
    if (info->si_code > 0) end_as_without_handler(signal, *info);
    return;
  }
  state.chained = context;
  state.chained_frame = frame;
  state.chained_handler = handler;
  sigset_t own, before;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_BLOCK, &next->sa_mask, &before);
  if (next->sa_flags & SA_NODEFER) pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  if (next->sa_flags & SA_SIGINFO)
    next->sa_sigaction(signal, info, context);
  else
    next->sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  state.chained = nullptr;
}

constinit std::atomic<FaultTaker> other_taker{[](int, const siginfo_t&) { return false; }};

void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (!Handling::take(signal, *info, *static_cast<ucontext_t*>(context)) &&
      !other_taker.load()(signal, *info))
    pass_on(signal, info, context);
  errno = error;
}

bool is_own(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_signal;
}

void remember(int signal, const struct sigaction& action) {
  auto& slot = replaced[static_cast<std::size_t>(signal)];
  const Replaced* newest = slot.load();
  for (const Replaced* known = newest; known; known = known->earlier)
    if (known->action.sa_flags == action.sa_flags && known->action.sa_sigaction == action.sa_sigaction) {
      known->is_spent = false;
      return;
    }
  slot.store(new Replaced{action, newest});
}

void install(int signal) {
  struct sigaction current{};
  if (sigaction(signal, nullptr, &current) != 0 || is_own(current)) return;
  remember(signal, current);
  struct sigaction own{};
  own.sa_sigaction = on_signal;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&own.sa_mask);
  // The application may have changed the handler in between.
  if (sigaction(signal, &own, &current) == 0 && !is_own(current)) remember(signal, current);
}

} // namespace

void install_fault_handlers() {
  static std::mutex& mutex = *new std::mutex;
  std::scoped_lock lock(mutex);
  for (int signal : signals)
    install(signal);
}

void offer_faults(FaultTaker taker) {
  other_taker = taker;
}

bool comes_first(int signal) {
  struct sigaction current{};
  return sigaction(signal, nullptr, &current) == 0 && is_own(current);
}

void GuardedThread::enter(void* signal_stack, std::size_t signal_bytes, void* guard,
                          std::size_t guard_bytes) {
  const stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = signal_bytes};
  sigaltstack(&stack, nullptr);
  guard_ = static_cast<char*>(guard);
  guard_bytes_ = guard_bytes;
  state.thread = this;
}

void GuardedThread::leave() {
  state.thread = nullptr;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
  end_.release();
}

bool GuardedThread::protect_guard(std::size_t begin, int protection) const {
  return mprotect(guard_ + begin, guard_bytes_ - begin, protection) == 0;
}

void GuardedThread::interrupt(pthread_t thread, const char* reason, bool anywhere) {
  reason_ = reason;
  anywhere_ = anywhere;
  if (!reason || !comes_first(SIGSEGV)) return;
  sigval mark{};
  mark.sival_ptr = &interruption_mark;
  pthread_sigqueue(thread, SIGSEGV, mark);
}

bool guarded(llvm::function_ref<void()> work, Failure& failure) {
  Point point{{},        state.innermost,   state.locks,
              &failure,  exception_state(), state.initialisations.count(),
              state.step};
  volatile bool is_left = true;
  if (sigsetjmp(point.place, 1) == 0) {
    state.innermost = &point;
    errno = 0; // a fault with ENOMEM comes from this work
    work();
    is_left = false;
  }
  state.step = point.step;
  state.innermost = point.outer;
  if (std::exchange(state.thread->has_overflowed_, false)) state.thread->protect_guard(0, PROT_NONE);
  if (!is_left) return true;
  exception_state() = point.exceptions;
  state.initialisations.leave(point.initialisations);
  while (state.locks != point.locks) {
    HeldLock* lock = state.locks;
    state.locks = lock->outer_;
    lock->mutex_.unlock();
  }
  return false;
}

void leave_for_memory() {
  if (!state.thread) return;
  state.thread->lacks_memory_ = true;
  if (is_in_compiler()) leave_guarded_work(out_of_memory);
}

void leave_guarded_work(const char* reason) {
  if (state.thread && state.innermost) Handling::leave(reason);
}

LongStep::LongStep(Kind kind) : before_(state.step) {
  state.step = 1 + static_cast<int>(kind);
}

LongStep::~LongStep() {
  state.step = before_;
}

WaitingElsewhere::WaitingElsewhere() {
  if (state.thread) state.thread->waits_ = true;
}

WaitingElsewhere::~WaitingElsewhere() {
  if (state.thread) state.thread->waits_ = false;
}

HeldLock::HeldLock(std::mutex& mutex, bool wait) : mutex_(mutex), holds_(wait || mutex.try_lock()) {
  if (wait && !mutex.try_lock()) {
    const WaitingElsewhere waiting;
    mutex.lock();
  }
  if (!holds_) return;
  outer_ = state.locks;
  state.locks = this;
}

HeldLock::~HeldLock() {
  if (!holds_) return;
  state.locks = outer_;
  mutex_.unlock();
}

void bound_own_time(std::chrono::nanoseconds time) {
  if (!state.thread) return;
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const auto end = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) + time;
  state.thread->end_ns_ = time.count() == 0 ? std::numeric_limits<std::int64_t>::max() : end.count();
}

const char* cancellation_reason() {
  return state.thread ? state.thread->reason_.load() : nullptr;
}

} // namespace hostcl::compiler

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" int __wrap___cxa_guard_acquire(__cxxabiv1::__guard* guard) {
  const int begins = __real___cxa_guard_acquire(guard);
  if (begins && hostcl::compiler::state.thread) hostcl::compiler::state.initialisations.begin(guard);
  return begins;
}
extern "C" void __wrap___cxa_guard_release(__cxxabiv1::__guard* guard) noexcept {
  __real___cxa_guard_release(guard);
  hostcl::compiler::state.initialisations.end(guard);
}
extern "C" void __wrap___cxa_guard_abort(__cxxabiv1::__guard* guard) noexcept {
  __real___cxa_guard_abort(guard);
  hostcl::compiler::state.initialisations.end(guard);
}
// NOLINTEND(bugprone-reserved-identifier)
