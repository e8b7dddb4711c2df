#pragma once

// Semaphores that share a payload by a file descriptor

#include "support/semaphores.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

namespace test::shared_semaphores {

inline constexpr auto opaque_fd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                      sync_fd = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;

inline void give_time() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// A semaphore and another that shares its payload, in two contexts.
struct Pair {
  test::Session first, second;
  Semaphore original = Semaphore::exportable(first.context, opaque_fd);
  Semaphore imported = Semaphore::imported(second.context, opaque_fd, original.exported(opaque_fd).detach());
};

inline bool is_open(int descriptor) {
  return fcntl(descriptor, F_GETFD) >= 0;
}

} // namespace test::shared_semaphores
