#pragma once

// Runs a kernel that is a function of the host over a range, one work-item at a time: to its end, or, where it waits
// for its group, to the next barrier.

#include "differential/case.hpp"
#include "differential/host/work_item.hpp"

namespace differential {

using HostKernel = void (*)(void** arguments);

/// @param item where the kernel finds the work-item that it is
/// @param waits whether the kernel has barriers
void run_range(const Range& range, HostKernel kernel, void** arguments, const WorkItem** item, bool waits);

} // namespace differential
