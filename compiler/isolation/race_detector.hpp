#pragma once

// Annotations for the ThreadSanitizer of an application that was built with -fsanitize=thread, while the driver was not.
//
// ThreadSanitizer intercepts the driver's calls of memcpy(), free() and pthread_mutex_lock(), but does not see the driver's
// atomic operations. Without annotations, ThreadSanitizer would report a race wherever a thread of the driver hands memory to
// another thread by an atomic operation. The driver therefore makes two annotations:
// - While a thread runs code of the driver, ThreadSanitizer ignores the memory accesses of that thread.
// - All threads share one synchronisation object. A thread that enters the driver releases the object, and a thread that
//   leaves the driver acquires it. A callback leaves the driver when it begins, and enters the driver when it returns. So
//   what the application does before a call happens before what the application does after any call that ends later, and
//   before any callback that begins later.
//
// ThreadSanitizer may therefore miss a race of the application if both threads call the driver between the two accesses.
// A driver that is itself built with -fsanitize=thread makes no annotations: ThreadSanitizer sees its atomic operations.
// Test: tests/process/guests

namespace hostcl {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
// Null unless the process contains ThreadSanitizer's runtime.
[[gnu::weak, gnu::visibility("default")]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak, gnu::visibility("default")]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak, gnu::visibility("default")]] void __tsan_acquire(void* order);
[[gnu::weak, gnu::visibility("default")]] void __tsan_release(void* order);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

class RaceDetector {
public:
  static bool is_here() {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
    return false;
#else
    return &__tsan_release != nullptr;
#endif
  }

  /// A scope in which the calling thread runs code of the driver. Created where the application calls the driver.
  class InDriver {
  public:
    InDriver() {
      if (is_here()) [[unlikely]]
        enter();
    }
    ~InDriver() {
      if (is_here()) [[unlikely]]
        leave();
    }
    InDriver(const InDriver&) = delete;
  };

  /// A scope, inside an InDriver, in which the calling thread runs code of the application, such as a callback.
  class InApplication {
  public:
    InApplication() {
      if (is_here()) [[unlikely]]
        leave();
    }
    ~InApplication() {
      if (is_here()) [[unlikely]]
        enter();
    }
    InApplication(const InApplication&) = delete;
  };

private:
  static void enter();
  static void leave();
};

} // namespace hostcl
