#pragma once

// What a child of fork() can do in this build.

namespace test {

/// ThreadSanitizer itself crashes or hangs now and then in a thread that a child starts, if other threads of
/// the parent were at work when it was forked.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr bool children_have_threads = false;
#else
constexpr bool children_have_threads = true;
#endif

} // namespace test
