#pragma once

// Facts about the computer that the runtime runs on: true values, from the CPU and the kernel.

#include <cstdint>
#include <string>
#include <vector>

namespace hostcl::runtime {

struct Machine {
  std::string cpu_name;           ///< brand string, as "Intel(R) Xeon(R) Processor"
  std::uint32_t vendor_id;        ///< PCI vendor of the CPU's maker, or 0
  std::vector<unsigned> affinity; ///< processors that the process was allowed when it began to use OpenCL
  unsigned threads;               ///< that this process may use: affinity, control group, HOSTCL_THREADS
  std::uint64_t memory;           ///< bytes: physical memory, control group's limit, HOSTCL_MEMORY
  std::uint64_t clock_mhz;        ///< highest clock frequency, 0 if unknown
  std::uint8_t uuid[16];          ///< the same for each process on this machine and driver version
};
const Machine& machine();

struct Caches {
  std::uint64_t line_bytes;   ///< of the first level
  std::uint64_t first_level;  ///< bytes of one thread's data cache
  std::uint64_t second_level; ///< bytes of the next level
  std::uint64_t last_level;   ///< bytes of the largest cache
};
const Caches& caches();

} // namespace hostcl::runtime
