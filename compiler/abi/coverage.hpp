#pragma once

// Coverage counters (HOSTCL_COVERAGE), as machine code of kernels and the runtime share them. The counts of a kernel
// are kept in LLVM's raw profile format, which llvm-profdata reads.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// The profile of a kernel before it has run: a constant of the kernel's machine code. A thread that runs the kernel
/// counts in a copy of `profile`.
struct CoverageProfile {
  std::uint64_t key;            ///< hash of the following members
  std::uint32_t bytes;          ///< size of `profile`, a multiple of 8
  std::uint32_t counters_begin; ///< offset of the first counter in `profile`, in bytes
  std::byte profile[];
};

} // namespace hostcl::abi
