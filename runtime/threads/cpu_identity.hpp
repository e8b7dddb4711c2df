#pragma once

// What the CPU itself says of its name and speed, for each kind of CPU in a file of its own (cpu_identity_NAME.cpp).

#include <cstdint>
#include <string>

namespace hostcl::runtime {

struct CpuIdentity {
  std::string name{};          ///< as it is sold; empty where the CPU does not say
  std::uint32_t vendor_id = 0; ///< of PCI; 0 where there is none
  std::uint64_t most_mhz = 0;  ///< 0 where the CPU does not say
  std::uint32_t model = 0;     ///< family, model and stepping in one number, as CPUs of this kind tell them
};

CpuIdentity cpu_identity();

} // namespace hostcl::runtime
