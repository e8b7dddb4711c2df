#include "runtime/threads/cpu_identity.hpp"

#include <fstream>

namespace hostcl::runtime {

CpuIdentity cpu_identity() {
  CpuIdentity identity; // no name and frequency here: machine.cpp takes them from /proc/cpuinfo and LLVM
  std::ifstream register_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  std::uint64_t midr = 0;
  if (register_file >> std::hex >> midr) identity.model = static_cast<std::uint32_t>(midr);
  return identity;
}

} // namespace hostcl::runtime
