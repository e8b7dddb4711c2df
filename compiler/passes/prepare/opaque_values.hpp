#pragma once

// Pipes and reservations of their packets become plain values, wherever they are: a pipe the address of its
// abi::Pipe, in the global address space, and a reservation an integer of 64 bits. Runs on a kernel's module
// before the library is linked, whose functions have plain parameters.
//
//   before:  %pair = type { target("spirv.ReserveId"), i32 }
//            @id = internal addrspace(3) global target("spirv.ReserveId") poison
//            define spir_kernel void @k(target("spirv.Pipe", 0) %p) {
//              %id = call target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0) %p, ...)
//   after:   %pair.plain = type { i64, i32 }
//            @id = internal addrspace(3) global i64 poison
//            define spir_kernel void @k(ptr addrspace(1) %p) {
//              %id = call i64 @__reserve_read_pipe(ptr addrspace(1) %p, ...)
//
// Test: tests/passes/prepare/opaque_values.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OpaqueValuesPass : llvm::PassInfoMixin<OpaqueValuesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
