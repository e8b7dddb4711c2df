#pragma once

// What the driver tells the application's ThreadSanitizer, which sees the driver's calls of memcpy(), free() and
// pthread_mutex_lock(), but none of its atomic operations, and would take memory that threads of the driver hand over for
// raced for. So it does not look at memory while the driver's code runs, and takes each call of the driver for one that
// comes after all that began before: what the host does before a call happens before its callbacks and before what follows
// later calls. A race of the host between whose two accesses both threads call the driver may therefore be missed.
// A driver that is built with -fsanitize=thread is seen itself.
// Test: tests/process/guests

namespace hostcl {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
// Null unless the process has ThreadSanitizer's runtime.
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

  /// While an object of this class exists, the calling thread runs code of the driver.
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

  /// While an object of this class exists, the calling thread runs code of the application that the driver has called.
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
