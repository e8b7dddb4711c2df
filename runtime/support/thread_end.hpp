#pragma once

#include <pthread.h>

namespace hostcl::runtime {

/// A key of the data of threads whose destructor is the function. Made when the driver is loaded, and never deleted.
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

/// Has the function called when the calling thread ends, after the destructors of its thread_local objects, and not
/// when it calls exit(). Objects of the thread that the function cleans up should have no destructor: destructors of
/// the application's data may be called later, and use them again. A thread_local object would do less well: glibc
/// ends the process where it has no memory to register the destructor.
/// @returns false if the function will not be called, for want of memory or because the process has used up all keys
template <void (*function)()>
[[nodiscard]] bool at_thread_end() {
  return thread_end_key<function>.set();
}

} // namespace hostcl::runtime
