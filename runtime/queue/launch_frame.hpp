#pragma once

// One run of a launch.

#include "compiler/abi.hpp"
#include "runtime/queue/counter_cells.hpp"
#include "runtime/queue/group_ranges.hpp"
#include "runtime/queue/launch_record.hpp"
#include "runtime/queue/parallel.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hostcl::runtime {

/// Runs a record, which other frames may run at the same time. Arguments that each run places anew are placed
/// in a copy of the record's block; most kernels have none, and read the record's block itself.
class LaunchFrame {
public:
  /// @param choice code for the record's launch; better code may replace it while groups run
  /// @throws std::bad_alloc
  LaunchFrame(const LaunchRecord& record, compiler::KernelChoice choice, const abi::Services& services,
              Workers& workers);

  /// Runs all work-groups.
  void run();

private:
  const std::byte* place_arguments();
  std::uint64_t placed(const compiler::KernelArgument& argument, std::uint64_t recorded);
  std::uint64_t run_serially();

  const LaunchRecord& record_;
  Workers& workers_;
  std::optional<ArgumentBlock> block_; ///< the copy, if there is one
  CounterUses counters_;
  std::uint64_t local_bytes_; ///< of a group: the kernel's variables, and arguments as they are placed
  const std::byte* arguments_;
  GroupRanges groups_;
};

} // namespace hostcl::runtime
