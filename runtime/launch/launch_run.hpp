#pragma once

// Runs a launch.

#include "compiler/abi/launch.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/threads/parallel.hpp"

namespace hostcl::runtime {

class Device;
class Parent;

/// Runs all work-groups of a launch. Other threads may run the same record at the same time: a run writes to
/// its own stack frame only, and uses a copy of the record's arguments if some of them have to be placed.
/// @param choice machine code for the launch; the run may go on with tier 1 code that becomes available
/// meanwhile
/// @param device the device of the launch's queue
/// @param parent the parent of children that the kernel enqueues; null if the kernel enqueues none
/// @returns the reason if a work-item has trapped; work-groups that had not begun are not run then
/// @throws std::bad_alloc
TrapReason run_launch(const RunnableLaunch& record, compiler::KernelChoice choice,
                      const abi::HostCallbacks& host_callbacks, const Device& device, Workers& workers,
                      Parent* parent = nullptr);

/// run_launch() on the calling thread alone, for launches that are expected to be short.
TrapReason run_launch_serially(const RunnableLaunch& record, compiler::KernelChoice choice,
                               const abi::HostCallbacks& host_callbacks, const Device& device,
                               Parent* parent = nullptr);

} // namespace hostcl::runtime
