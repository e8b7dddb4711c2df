#pragma once

// Records whether a kernel's work-groups can be run again in another order, on copies of its buffers, and where the
// kernel writes to its buffers (HOSTCL_CHECK=order). The result is a constant abi::OrderProperties, which the host finds by
// its symbol.
//
//   before:  store i32 %v, ptr addrspace(1) %p          of the parameter a
//
//   after:   the same, and
//            @__hostcl_order.places = [ptr @site, ...]    the site of the last write by each parameter, or null
//            @__hostcl_order = { "", @__hostcl_order.places }
//
// A kernel cannot be run again if it prints, enqueues kernels or may trap, accesses shared memory other than through
// its pointer parameters, or keeps addresses of buffers. The first string of the constant then says why.
//
// In:  kernels in SSA form whose calls are inlined, before accesses are checked for bounds and races.
// Test: tests/passes/checks/order_properties.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OrderPropertiesPass : llvm::PassInfoMixin<OrderPropertiesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
