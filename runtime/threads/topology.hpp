#pragma once

// Caches and nodes that processors share, and the binding of threads. Only functions that need it call it:
// hwloc takes milliseconds to look at the machine.

#include "runtime/support/cl.hpp"

#include <memory>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// Processors by hwloc's logical numbers: neighbours in a list share caches.
using Processors = std::vector<unsigned>;

/// The processors that the process may run on.
const Processors& usable_processors();

/// Groups of processors that share a node or cache; `domain` is one bit of CL_DEVICE_AFFINITY_DOMAIN_*. Empty
/// if the machine does not have such a level around all of them.
std::vector<Processors> groups_that_share(cl_device_affinity_domain domain, const Processors& processors);

/// Keeps the calling thread on these processors; the destructor lets it go back to where it might run before.
/// Where the system refuses, nothing changes.
class ThreadBinding {
public:
  explicit ThreadBinding(std::span<const unsigned> processors);
  ~ThreadBinding();
  ThreadBinding(const ThreadBinding&) = delete;

private:
  struct Set;
  std::unique_ptr<Set> before_;
};

} // namespace hostcl::runtime
