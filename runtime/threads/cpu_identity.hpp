#pragma once

// The name and the speed of the CPU as the CPU itself reports them. Each architecture has its implementation
// in cpu_identity_NAME.cpp.

#include <cstdint>
#include <string>

namespace hostcl::runtime {

struct CpuIdentity {
  std::string name{};          ///< brand name; empty if the CPU does not report it
  std::uint32_t vendor_id = 0; ///< PCI vendor id of the manufacturer; 0 if unknown
  std::uint64_t most_mhz = 0;  ///< highest frequency; 0 if the CPU does not report it
  std::uint32_t model = 0;     ///< family, model and stepping as in CPUID.1:EAX (x86) or MIDR_EL1 (AArch64)
};

CpuIdentity cpu_identity();

} // namespace hostcl::runtime
