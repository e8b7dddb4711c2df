#pragma once

// The caches and NUMA nodes that processors share, and the binding of threads to processors. hwloc takes
// milliseconds to examine the machine, so nothing here runs before a function needs the topology.

#include "runtime/support/cl.hpp"

#include <memory>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// Processors by hwloc's logical indices. Processors that are neighbours in the list share caches.
using Processors = std::vector<unsigned>;

/// The processors that the process may run on.
const Processors& usable_processors();

/// Groups of processors that share a NUMA node or a cache.
/// @param domain one bit of CL_DEVICE_AFFINITY_DOMAIN_*
/// @returns an empty list if some of the processors are in no object of this level
std::vector<Processors> groups_that_share(cl_device_affinity_domain domain, const Processors& processors);

/// Binds the calling thread to these processors. The destructor restores the thread's affinity. If the system
/// refuses, the thread stays as it was.
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
