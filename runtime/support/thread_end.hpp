#pragma once

#include <pthread.h>

namespace hostcl::runtime {

/// A key of thread-specific data (pthread_key_create()) whose destructor calls the function. Created when the driver is
/// loaded, and never deleted.
template <void (*function)()>
class ThreadEndKey {
public:
  ThreadEndKey() noexcept : is_made_(pthread_key_create(&key_, [](void*) { function(); }) == 0) {}

  bool set() const { return is_made_ && pthread_setspecific(key_, this) == 0; }

private:
  pthread_key_t key_{};
  bool is_made_;
};
template <void (*function)()>
inline const ThreadEndKey<function> thread_end_key;

/// Registers the function to be called when the calling thread ends, after the destructors of the thread's thread_local
/// objects. The function is not called when the thread calls exit(). Thread-local objects that the function cleans up
/// should have no destructor, because destructors of the application's data may run later and use these objects again.
/// A thread_local object with a destructor would not do: glibc ends the process if it has no memory to register the
/// destructor.
/// @returns false if the function will not be called, because there is no memory or the process has used up all keys
template <void (*function)()>
[[nodiscard]] bool at_thread_end() {
  return thread_end_key<function>.set();
}

} // namespace hostcl::runtime
