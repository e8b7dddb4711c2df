#pragma once

// Private memory of kernels that need much of it lies in the context, which the host allocates for each thread, and
// not on the stack of a thread, which may be the application's and small: that of all functions that an entry calls,
// directly or through others, each after that of its caller.
//
//   before:  define void @k.entry(..., ptr %context, ...)     after:  define void @k.entry(..., ptr %context, ...)
//              ... ptr %context ...                                     %after = getelementptr i8, ptr %context, i64 9000576
//                                                                       ... ptr %after ...
//              %x = alloca [9000000 x i8]                               %x = getelementptr i8, ptr %context, i64 0
//                                                                       %rest = getelementptr i8, ptr %context, i64 9000064
//              call void @helper(ptr %x)                                call void @helper(ptr %x, ptr %rest)
//
//            define internal void @helper(ptr %x)                     define internal void @helper(ptr %x, ptr %private)
//              %y = alloca [512 x i8]                                   %y = getelementptr i8, ptr %private, i64 0
//
// In: the module of one entry (kernel_entry.hpp), with nothing left to optimise; no function calls itself. Out: the entry's
// attribute hostcl.private_bytes has the bytes that its context needs in addition, a multiple of abi::scratch_alignment.
// Functions whose address is taken keep their variables; what stays on the stack is stack_bytes().
// Test: tests/passes/codegen/large_private.ll, tests/process/memory/small_stacks.cpp

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace hostcl::compiler {

/// Bytes of stack that the variables of a function and of those that it calls take at most, with something for each
/// call. Registers that are spilled are not known yet.
std::uint64_t stack_bytes(const llvm::Function& function);

/// Those that large-private has moved to the entry's context.
std::uint64_t moved_private_bytes(const llvm::Function& entry);

struct LargePrivatePass : llvm::PassInfoMixin<LargePrivatePass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
