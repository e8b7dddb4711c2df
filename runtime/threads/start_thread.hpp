#pragma once

// The start of the driver's own threads.

#include "runtime/support/application_code.hpp"

#include <concepts>
#include <memory>
#include <new>
#include <optional>

#include <pthread.h>

namespace hostcl::runtime {

/// Starts a thread of the driver (compiler/isolation/own_threads.hpp). The caller joins or detaches the thread.
/// @param argument passed to `main`; null means that there was no memory for it
/// @returns nothing if a limit of the process allows no further thread, or if there is no memory for one
std::optional<pthread_t> start_thread(void* (*main)(void*), void* argument) noexcept;

/// The same for a function object, which is copied.
template <std::invocable Main>
std::optional<pthread_t> start_thread(const Main& main) noexcept {
  std::unique_ptr<Main> own;
  try {
    own = std::make_unique<Main>(main);
  } catch (const std::bad_alloc&) {
    own = nullptr; // no thread is started
  }
  const auto call = [](void* argument) -> void* {
    const std::unique_ptr<Main> main(static_cast<Main*>(argument));
    ApplicationCode::note_own_thread();
    (*main)();
    return nullptr;
  };
  const auto thread = start_thread(call, own.get());
  if (thread) static_cast<void>(own.release());
  return thread;
}

} // namespace hostcl::runtime
