#pragma once

// HOSTCL_COVERAGE: counts how often each part of the kernels' sources runs, and has LLVM's tools make reports of the
// counts when the process ends. All processes with the same setting, also later ones, add to one folder beside the
// first output:
//
//   out.info.d/counts/PROCESS-TIME.profraw   counts of a process
//   out.info.d/objects/BUILD.o               clang's description of a source
//   out.info.d/sources/HASH.cl               a source that the application has passed as a string
//   out.info.d/convert                       the script that makes reports (convert.sh.in)
//
// Kernels add their counts to a shared mapping of the file of counts at the end of each range of work-groups. If the
// process is killed, only the counts of the ranges that were running are lost.
//
// Tests: tests/coverage/

#include "compiler/abi/coverage.hpp"
#include "compiler/compiler.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace hostcl::runtime::coverage {

/// The folder of the data; null without coverage. Set when the driver is loaded.
inline constinit std::atomic<const std::string*> folder = nullptr;

inline bool is_on() {
  return folder.load(std::memory_order_relaxed) != nullptr;
}

/// The calling thread's counters of a kernel, in a file that is mapped into memory. If the file cannot be made or
/// cannot grow, one warning says so, and counts are lost.
std::uint64_t* counters_of_thread(const abi::CoverageProfile& kernel) noexcept;

/// Writes the descriptions and sources of a program that has been loaded to the folder.
void keep(std::span<const compiler::CoverageUnit> units);

/// Whether this process has kept or counted anything.
bool has_data();

} // namespace hostcl::runtime::coverage
