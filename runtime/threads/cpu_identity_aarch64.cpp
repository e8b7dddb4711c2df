#include "runtime/threads/cpu_identity.hpp"

namespace hostcl::runtime {

CpuIdentity cpu_identity() {
  return {}; // /proc/cpuinfo and LLVM know more
}

} // namespace hostcl::runtime
