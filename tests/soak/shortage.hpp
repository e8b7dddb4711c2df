#pragma once

// Limits of the process that come late: calls may fail for want of memory, descriptors or threads. Whatever fails
// must have no effect, and the rest goes on.

#include "soak/random.hpp"

#include <CL/cl.h>

#include <atomic>
#include <thread>

namespace soak {

/// What an operation ends with whose call failed for want of something.
struct Shortage {
  const char* call;
  cl_int status;
};

namespace shortage {

/// Whether a call or a command may end with that while limits are low, or after others have.
bool is_permitted(cl_int status);

/// While one exists, the process has its former limits.
class Lifted {
public:
  Lifted();
  ~Lifted();
  Lifted(const Lifted&) = delete;
};

/// A thread that lowers limits to just above what is in use, and raises them again.
class Thread {
public:
  explicit Thread(std::uint64_t seed);
  ~Thread();
  Thread(const Thread&) = delete;

private:
  void run(Random random);

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// Before all else: what a process has to do that is going to lower its limits. Limits of threads hold for users other
/// than root only.
void prepare();
/// In a child of fork(), which has no limits of its own.
void end_in_child();

} // namespace shortage
} // namespace soak
