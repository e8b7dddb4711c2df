#pragma once

// One run of a launch.

#include "compiler/abi/launch.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/threads/parallel.hpp"

namespace hostcl::runtime {

class Parent;

/// Runs all work-groups of a launch. Other threads may run the same record meanwhile. The run has a frame of
/// its own, and reads the record's arguments, or a copy where some have to be placed.
/// @param choice code for the record's launch; better code may replace it while groups run
/// @param parent what children count for that the kernel enqueues; null if it enqueues none
/// @returns why it ended, if a work-item has trapped; work-groups that had not begun have not run then
/// @throws std::bad_alloc
TrapReason run_launch(const RunnableLaunch& record, compiler::KernelChoice choice,
                      const abi::Services& services, Workers& workers, Parent* parent = nullptr);

/// The same on the calling thread alone, for launches that are known to be short.
TrapReason run_launch_serially(const RunnableLaunch& record, compiler::KernelChoice choice,
                               const abi::Services& services, Parent* parent = nullptr);

} // namespace hostcl::runtime
