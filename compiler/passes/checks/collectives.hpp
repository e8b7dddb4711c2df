#pragma once

// Checks of collective functions, which all work-items of a group or sub-group have to call alike (OpenCL C 3.0,
// 6.15.11 and 6.15.16 to 6.15.19), and instrumentation for properties about them that only the source tells:
//
//   async_work_group_copy(to, from, n, e)   `arguments`: a report if an argument is divergent of the
//                                           group. Each copy returns an event of its own, unless it continues an event
//   wait_group_events(n, &e)                `arguments`: likewise, and a report if an event is 0
//   work_group_broadcast(x, i)              `arguments`: a report if i is divergent of the group
//   sub_group_shuffle(x, i)                 `arguments`: a report if lane i does not exist or is not active
//   sub_group_barrier(flags)                `divergence`: a report if a lane of the sub-group is not active
//   async_work_group_copy(...)              `divergence`: a barrier without fences before the copy, which all
//                                           work-items have to reach; `races`: calls around the copy, which identify
//                                           it for check-races
//   atomic_store_explicit(..., scope)       `races`: calls of __hostcl_race_order around the operation, if its scope
//                                           is the group
//
// In:  code as the front end made it, before the library is linked.
// Test: tests/passes/checks/check_collectives.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Functions without parameters that are called around each asynchronous copy, until check-races removes the calls.
inline constexpr const char *copy_begin = "__hostcl_race_copy_begin", *copy_end = "__hostcl_race_copy_end";

} // namespace hostcl::compiler
