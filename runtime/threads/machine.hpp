#pragma once

// Properties of the computer, as the CPU and Linux report them.

#include <cstdint>
#include <string>
#include <vector>

namespace hostcl::runtime {

/// The machine as this process may use it. There is one object, made by the first call of machine().
struct Machine {
  std::string cpu_name;           ///< brand string, such as "Intel(R) Xeon(R) Processor"
  std::uint32_t vendor_id;        ///< PCI vendor id of the CPU's manufacturer, or 0
  std::vector<unsigned> affinity; ///< processors of the affinity mask when the process began to use OpenCL
  unsigned threads; ///< threads that this process may use: affinity mask, control group, HOSTCL_THREADS
  /// Bytes that this process may use: physical memory, limits, control group, HOSTCL_MEMORY.
  std::uint64_t memory;
  std::uint64_t clock_mhz; ///< highest clock frequency, or 0 if unknown
  std::uint8_t uuid[16];   ///< the same in all processes on this machine with this version of the driver
};
const Machine& machine();

/// Sizes of the data caches. There is one object, made by the first call of caches().
struct Caches {
  std::uint64_t line_bytes;   ///< bytes of a cache line of the first level
  std::uint64_t first_level;  ///< bytes of the first-level data cache of one processor
  std::uint64_t second_level; ///< bytes of the second-level cache
  std::uint64_t last_level;   ///< bytes of the largest cache
};
const Caches& caches();

} // namespace hostcl::runtime
