#pragma once

// Marks calls of the application's code by the driver: callbacks of events and memory objects, and native kernels.
// Blocking calls need these marks: only if there is any such call, they look for the commands whose code the thread is
// in. If the call is on a thread of the driver, the application's code runs with the signal mask of the thread that
// registered it. So it receives the same signals as on that thread, and programs that it starts do not inherit the
// driver's mask, which blocks nearly all signals.

#include "compiler/isolation/own_threads.hpp"
#include "compiler/isolation/race_detector.hpp"

#include <atomic>

namespace hostcl::runtime {

class ApplicationCode {
public:
  /// @param mask signal mask of the thread that registered the code
  explicit ApplicationCode(SignalMask mask) : before_(is_on_own_thread_ ? mask.exchange() : mask) {
    calls_.fetch_add(1, std::memory_order_relaxed);
    ++depth_.calls;
  }
  ~ApplicationCode() {
    --depth_.calls;
    calls_.fetch_sub(1, std::memory_order_relaxed);
    if (is_on_own_thread_) before_.exchange();
  }
  ApplicationCode(const ApplicationCode&) = delete;

  /// Whether any thread is in such a call; true if this one is.
  static bool is_running() { return calls_.load(std::memory_order_relaxed) != 0; }
  /// True if this thread's calls are nested max_depth deep, so that the next one needs another stack.
  static bool is_deep() { return depth_.calls >= max_depth; }

  /// Called at the start of a thread of the driver that may call code of the application.
  static void note_own_thread() { is_on_own_thread_ = true; }

  static constexpr unsigned max_depth = 64;

  /// How deep calls are nested on a stack.
  struct Depth {
    unsigned calls;
    unsigned events; ///< whose callbacks are called (Event::call_back())
  };
  /// On the stack that this thread has now.
  static Depth& depth() { return depth_; }

private:
  static inline constinit std::atomic<unsigned> calls_ = 0;
  static inline constinit thread_local Depth depth_{};
  static inline constinit thread_local bool is_on_own_thread_ = false;
  SignalMask before_;
  RaceDetector::InApplication in_application_;
};

} // namespace hostcl::runtime
