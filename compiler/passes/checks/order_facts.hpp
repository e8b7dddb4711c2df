#pragma once

// Says of a kernel whether its work-groups can run again in another order, on copies of its buffers, and where it writes
// to them (HOSTCL_CHECK=order): a constant abi::OrderFacts that the host finds by its name.
//
//   before:  store i32 %v, ptr addrspace(1) %p          of the parameter a
//
//   after:   the same, and
//            @__hostcl_order.places = [ptr @site, ...]    of the last write by each parameter, null where there is none
//            @__hostcl_order = { "", @__hostcl_order.places }
//
// A kernel cannot run again if it prints, enqueues or may trap, and if it accesses shared memory in another way than by its
// pointer parameters, or keeps the addresses of buffers.
//
// In:  kernels in SSA form whose calls are inlined, before accesses are checked for bounds and races.
// Test: tests/passes/checks/order_facts.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OrderFactsPass : llvm::PassInfoMixin<OrderFactsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
