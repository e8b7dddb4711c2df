// Counts the locks and once flags that a compiler thread holds (compiler/isolation/holds.hpp). The linker redirects the
// driver's calls of the C and C++ libraries' functions to these functions (-Wl,--wrap).

#include "compiler/isolation/holds.hpp"

#include <pthread.h>

namespace {

using hostcl::compiler::held_count;

/// Counts a lock that a function has acquired. @param result of the function; 0 if it has acquired the lock
int taken(int result) {
  if (result == 0) ++held_count;
  return result;
}

int released(int result) {
  if (result == 0) --held_count;
  return result;
}

} // namespace

// The linker makes these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int __real_pthread_mutex_lock(pthread_mutex_t* mutex);
int __real_pthread_mutex_trylock(pthread_mutex_t* mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t* mutex);
int __real_pthread_rwlock_rdlock(pthread_rwlock_t* lock);
int __real_pthread_rwlock_wrlock(pthread_rwlock_t* lock);
int __real_pthread_rwlock_unlock(pthread_rwlock_t* lock);
int __real_pthread_once(pthread_once_t* once, void (*function)());
int __real___cxa_guard_acquire(void* guard);
void __real___cxa_guard_release(void* guard);
void __real___cxa_guard_abort(void* guard);

int __wrap_pthread_mutex_lock(pthread_mutex_t* mutex) {
  return taken(__real_pthread_mutex_lock(mutex));
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return taken(__real_pthread_mutex_trylock(mutex));
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  return released(__real_pthread_mutex_unlock(mutex));
}

int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  return taken(__real_pthread_rwlock_rdlock(lock));
}

int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  return taken(__real_pthread_rwlock_wrlock(lock));
}

int __wrap_pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  return released(__real_pthread_rwlock_unlock(lock));
}

int __wrap_pthread_once(pthread_once_t* once, void (*function)()) {
  struct Hold {
    Hold() { ++held_count; }
    ~Hold() { --held_count; }
  };
  const Hold hold;
  return __real_pthread_once(once, function);
}

/// @returns whether the caller is the one that initialises
int __wrap___cxa_guard_acquire(void* guard) {
  const int initialises = __real___cxa_guard_acquire(guard);
  if (initialises) ++held_count;
  return initialises;
}

void __wrap___cxa_guard_release(void* guard) {
  --held_count;
  __real___cxa_guard_release(guard);
}

void __wrap___cxa_guard_abort(void* guard) {
  --held_count;
  __real___cxa_guard_abort(guard);
}
}
// NOLINTEND(bugprone-reserved-identifier)
