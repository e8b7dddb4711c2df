#pragma once

// Lowers pipes and reservation ids from opaque target types to plain values, in all types of a module: a pipe becomes
// the address of its abi::Pipe (address space 1), a reservation id becomes an i64. Runs on a kernel's module before the
// built-in library is linked, whose functions have plain parameters.
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
// `image-values` does the same for images and samplers. Test: tests/passes/prepare/opaque_values.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OpaqueValuesPass : llvm::PassInfoMixin<OpaqueValuesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
