#pragma once

// Annotations that tell ThreadSanitizer about oneTBB, whose library is not instrumented. They do nothing in
// other builds.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOSTCL_THREAD_SANITIZER 1
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreReadsBegin(const char*, int);
extern "C" void AnnotateIgnoreReadsEnd(const char*, int);
extern "C" void AnnotateIgnoreWritesBegin(const char*, int);
extern "C" void AnnotateIgnoreWritesEnd(const char*, int);
#endif
#endif

namespace hostcl::runtime {

#if defined(HOSTCL_THREAD_SANITIZER)
inline constexpr bool is_thread_sanitized = true;

/// Orders threads for ThreadSanitizer: what happens before post() on one thread happens before what follows
/// await() on another one.
class Handover {
public:
  void post() { __tsan_release(this); }
  void await() { __tsan_acquire(this); }
};

/// Between enter_tbb() and leave_tbb() a thread runs oneTBB's code, including the templates in its headers.
/// Its accesses are not checked.
inline void enter_tbb() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
inline void leave_tbb() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
inline constexpr bool is_thread_sanitized = false;

class Handover {
public:
  void post() {}
  void await() {}
};

inline void enter_tbb() {}
inline void leave_tbb() {}
#endif

struct InsideTbb {
  InsideTbb() { enter_tbb(); }
  ~InsideTbb() { leave_tbb(); }
};
struct OutsideTbb {
  OutsideTbb() { leave_tbb(); }
  ~OutsideTbb() { enter_tbb(); }
};

} // namespace hostcl::runtime
