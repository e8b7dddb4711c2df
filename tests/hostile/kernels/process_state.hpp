#pragma once

// What this process has of the operating system, to find what a driver has not given back.

#include <cstddef>
#include <vector>

#include <sys/types.h>

namespace test {

/// The guest processes that this process has started, directly or through a process that holds them.
std::vector<pid_t> guests();

struct ProcessState {
  std::size_t guests, descriptors, mappings, resident_bytes;

  static ProcessState now();
};

} // namespace test
