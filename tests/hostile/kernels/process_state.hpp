#pragma once

// Resources that this process has got from the operating system, so that a test finds resources that a driver does not
// give back.

#include <cstddef>
#include <vector>

#include <sys/types.h>

namespace test {

/// The guest processes of this process: its descendants, because a holder is between the two
/// (compiler/server/driver_process.hpp).
std::vector<pid_t> guests();

struct ProcessState {
  std::size_t guests, descriptors, mappings, resident_bytes;

  static ProcessState now();
};

} // namespace test
