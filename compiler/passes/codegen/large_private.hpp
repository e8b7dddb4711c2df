#pragma once

// Private memory of kernels that need much of it lies in the context, which the host allocates for each thread, and
// not on the stack of a thread, which may be the application's and small.
//
//   before:  %x = alloca [9000000 x i8]
//            ... ptr %context ...
//   after:   %behind = getelementptr i8, ptr %context, i64 9000064
//            %x = getelementptr i8, ptr %context, i64 0
//            ... ptr %behind ...
//
// In: entries (kernel_entry.hpp), with nothing left to optimise. Out: the function's attribute hostcl.private_bytes has
// the bytes that its context needs in addition, a multiple of abi::scratch_alignment.
// Test: tests/passes/codegen/large_private.ll

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace hostcl::compiler {

/// Bytes of stack that a function's variables take.
std::uint64_t stack_bytes(const llvm::Function& function);

/// Those that large-private has moved to the entry's context.
std::uint64_t moved_private_bytes(const llvm::Function& entry);

struct LargePrivatePass : llvm::PassInfoMixin<LargePrivatePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
