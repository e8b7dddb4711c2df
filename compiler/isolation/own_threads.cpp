#include "compiler/isolation/own_threads.hpp"

#include "compiler/isolation/race_detector.hpp"

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>

namespace hostcl {

namespace {

std::atomic<bool> forked{false};
const int fork_handler =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

/// The destructor that oneTBB has passed to hcl_new_thread_key().
std::atomic<void (*)(void*)> end_thread_data{nullptr};

/// Sets what a new thread inherits from the thread that starts it: the signal mask and the floating-point
/// environment.
class InheritedState {
public:
  InheritedState() : mask_(SignalMask::of_own_threads().exchange()) {
    std::fegetenv(&environment_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~InheritedState() {
    std::fesetenv(&environment_);
    mask_.exchange();
  }
  InheritedState(const InheritedState&) = delete;

private:
  SignalMask mask_;
  std::fenv_t environment_;
};

/// The main function of a thread that ThreadSanitizer watches.
struct WatchedMain {
  void* (*main)(void*);
  void* argument;

  static void* run(void* watched) {
    const WatchedMain work = *std::unique_ptr<WatchedMain>(static_cast<WatchedMain*>(watched));
    const RaceDetector::InDriver in_driver;
    return work.main(work.argument);
  }
};

int create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument) {
  const InheritedState inherited;
  return pthread_create(thread, attributes, main, argument);
}

constinit char order = 0; ///< its address is the synchronisation object of race_detector.hpp
/// Nesting depth of the driver's code on this thread.
constinit thread_local int in_driver = 0;

} // namespace

void RaceDetector::enter() {
  __tsan_release(&order);
  if (++in_driver == 1) AnnotateIgnoreReadsBegin(__FILE__, __LINE__); // ignores writes as well
}

void RaceDetector::leave() {
  if (--in_driver == 0) AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  __tsan_acquire(&order);
}

OwnAttributes::OwnAttributes() noexcept : are_made_(pthread_attr_init(&attributes_) == 0) {
  constexpr std::size_t least = std::size_t{1} << 20;
  std::size_t usual = 0;
  if (are_made_ && pthread_attr_getstacksize(&attributes_, &usual) == 0 && usual < least)
    pthread_attr_setstacksize(&attributes_, least);
}

OwnAttributes::~OwnAttributes() {
  if (are_made_) pthread_attr_destroy(&attributes_);
}

bool in_forked_child() noexcept {
  (void)fork_handler;
  return forked.load(std::memory_order_relaxed);
}

SignalMask::SignalMask(const sigset_t& set) noexcept {
  static_assert(sizeof set >= sizeof blocked_);
  std::memcpy(&blocked_, &set, sizeof blocked_);
}

SignalMask SignalMask::of_this_thread() noexcept {
  sigset_t set;
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, nullptr, &set);
  return SignalMask(set);
}

SignalMask SignalMask::of_own_threads() noexcept {
  sigset_t set;
  sigfillset(&set);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
    sigdelset(&set, own);
  return SignalMask(set);
}

SignalMask SignalMask::exchange() const noexcept {
  sigset_t set, before;
  sigemptyset(&set);
  sigemptyset(&before);
  std::memcpy(&set, &blocked_, sizeof blocked_);
  pthread_sigmask(SIG_SETMASK, &set, &before);
  return SignalMask(before);
}

} // namespace hostcl

int hcl_new_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                   void* argument) noexcept {
  using namespace hostcl;
  const OwnAttributes own;
  if (!attributes) attributes = own.get();
  if (!RaceDetector::is_here()) return create(thread, attributes, main, argument);
  auto* watched = new (std::nothrow) WatchedMain{main, argument}; // owned by the thread
  if (!watched) return EAGAIN;
  const int error = create(thread, attributes, WatchedMain::run, watched);
  if (error != 0) delete watched;
  return error;
}

int hcl_new_thread_key(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  void (*none)(void*) = nullptr;
  if (!hostcl::end_thread_data.compare_exchange_strong(none, destructor)) return EAGAIN;
  return pthread_key_create(key, [](void* data) {
    if (!hostcl::in_forked_child()) hostcl::end_thread_data.load()(data);
  });
}
