#pragma once

// What the driver tells ThreadSanitizer if the application is compiled with it. ThreadSanitizer sees the
// driver's calls of memcpy(), free() and pthread_mutex_lock(), but not its atomic operations, so it would
// report races on memory that the driver's threads hand over. Therefore it ignores memory accesses while code
// of the driver runs. And each call of the driver counts as one that comes after all calls that began before:
// what the host does before a call happens before the call's callbacks, and before what follows later calls.
// A race of the host may be missed if both threads call the driver between the two accesses. A driver that is
// itself built with -fsanitize=thread needs none of this. Test: tests/process/guests

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
