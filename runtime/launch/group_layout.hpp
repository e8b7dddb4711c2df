#pragma once

// The groups that a launch runs in. They are not those of the application where no work-item can tell: the compiler may
// have chosen their size; consecutive ones run as one, which saves atomic operations; and few long ones run in parts, so
// that all threads have work until the launch ends.

#include "compiler/abi/launch.hpp"
#include "compiler/compiler.hpp"

namespace hostcl::runtime {

/// What decides how many groups a launch needs.
struct GroupDemand {
  unsigned threads; ///< the largest number that takes part
  double group_ns;  ///< expected of a group of the chosen size; 0: unknown
};

/// The launch with the size of groups that the code was chosen for.
abi::NDRange chosen_groups(abi::NDRange launch, const compiler::KernelChoice& choice);

/// Whether laid_out() may change groups of so many work-items.
inline bool may_lay_out(const compiler::KernelChoice& choice, std::uint64_t items, unsigned threads) {
  return choice.code->groups_merge || (choice.code->groups_split && items > 1 && threads > 1);
}

/// The same with more or fewer groups, as the code allows and the threads need.
abi::NDRange laid_out(abi::NDRange chosen, const compiler::KernelChoice& choice, const GroupDemand& demand);

/// Whether code runs groups of this size that has been chosen for others of the same launch.
bool suits_groups(const compiler::KernelChoice& choice, const abi::NDRange& chosen,
                  const abi::NDRange& laid_out);

} // namespace hostcl::runtime
