#pragma once

// What work-items have to do alike (OpenCL C 3.0, 6.15.11 and 6.15.16 to 6.15.19), and what only the source tells of it:
//
//   async_work_group_copy(to, from, n, e)     `arguments`: a report of each argument, which has to be the same in the
//   wait_group_events(n, &e)                  group; of events waited for, what is in their list, which is not 0. Each copy
//                                             returns an event of its own unless it goes on with another one
//   work_group_broadcast(x, i)
//   sub_group_shuffle(x, i)                   `arguments`: a report if lane i does not exist or is not active
//   sub_group_barrier(flags)                  `divergence`: a report if a lane of the sub-group is not active
//   async_work_group_copy(...)                `divergence`: a barrier without fences in front of it, which has to be reached
//                                             by all; `races`: calls around it that name it for check-races
//   atomic_store_explicit(..., scope)         `races`: calls of __hostcl_race_order around it, if its scope is the group
//
// In:  code as the front end made it, before the library is linked.
// Test: tests/passes/checks/check_collectives.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckCollectivesPass : llvm::PassInfoMixin<CheckCollectivesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Functions around an asynchronous copy, without parameters, until check-races.
inline constexpr const char *copy_begin = "__hostcl_race_copy_begin", *copy_end = "__hostcl_race_copy_end";

} // namespace hostcl::compiler
