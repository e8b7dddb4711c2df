#pragma once

// Chooses the size of the work-groups in which a launch runs. If no work-item of a kernel can find out its group, these
// groups need not be the application's groups. First, the compiler may have compiled the code for another group size
// (chosen_groups()). Then laid_out() merges consecutive groups, which saves atomic operations, or splits groups if
// there are few of them and they take long, so that all threads have work until the launch ends.

#include "compiler/abi/launch.hpp"
#include "compiler/compiler.hpp"

namespace hostcl::runtime {

/// What decides how many groups a launch should have.
struct GroupDemand {
  unsigned threads; ///< number of threads that can take part
  double group_ns;  ///< expected nanoseconds of a group of the chosen size; 0 if unknown
};

/// The launch in groups of the size that the code was compiled for.
abi::NDRange chosen_groups(abi::NDRange launch, const compiler::KernelChoice& choice);

/// Whether laid_out() may change groups of `items` work-items.
inline bool may_lay_out(const compiler::KernelChoice& choice, std::uint64_t items, unsigned threads) {
  return choice.code->groups_merge || (choice.code->groups_split && items > 1 && threads > 1);
}

/// The launch with more or fewer groups: as many as the threads need, within what the code allows.
abi::NDRange laid_out(abi::NDRange chosen, const compiler::KernelChoice& choice, const GroupDemand& demand);

/// Whether code that was chosen for the groups `chosen` of a launch is also right for the groups `laid_out`.
bool suits_groups(const compiler::KernelChoice& choice, const abi::NDRange& chosen,
                  const abi::NDRange& laid_out);

} // namespace hostcl::runtime
