#pragma once

// Marks calls that commands make of the application's code: callbacks of events and memory objects, native
// kernels. Blocking calls look for the commands that their thread is in only if there is any such call.

#include <atomic>

namespace hostcl::runtime {

class ApplicationCode {
public:
  ApplicationCode() {
    calls_.fetch_add(1, std::memory_order_relaxed);
    ++depth_;
  }
  ~ApplicationCode() {
    --depth_;
    calls_.fetch_sub(1, std::memory_order_relaxed);
  }
  ApplicationCode(const ApplicationCode&) = delete;

  /// Whether any thread is in such a call; true if this one is.
  static bool is_running() { return calls_.load(std::memory_order_relaxed) != 0; }
  /// Whether the calling thread is in so many of them, one in the other, that none should be made on the same
  /// stack.
  static bool is_deep() { return depth_ >= max_depth; }

  static constexpr unsigned max_depth = 64;

private:
  static inline constinit std::atomic<unsigned> calls_ = 0;
  static inline constinit thread_local unsigned depth_ = 0;
};

} // namespace hostcl::runtime
