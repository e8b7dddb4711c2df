#pragma once

// Moves the private variables of kernels that need much private memory from the stack to the context, which the host
// allocates for each thread: the stack may be that of an application's thread, and small. The pass moves the variables
// of the entry and of all functions that it calls; a function's variables follow those of its caller.
//
//   define void @k.entry(..., ptr %context, ...)     define void @k.entry(..., ptr %context, ...)
//     ... ptr %context ...                             %after = getelementptr i8, ptr %context, i64 9000576
//                                                      ... ptr %after ...
//     %x = alloca [9000000 x i8]                =>     %x = getelementptr i8, ptr %context, i64 0
//                                                      %rest = getelementptr i8, ptr %context, i64 9000064
//     call void @helper(ptr %x)                        call void @helper(ptr %x, ptr %rest)
//
//   define internal void @helper(ptr %x)             define internal void @helper(ptr %x, ptr %private)
//     %y = alloca [512 x i8]                           %y = getelementptr i8, ptr %private, i64 0
//
// In: the module of one entry (kernel_entry.hpp) after all optimisations. Out: the entry's
// attribute hostcl.private_bytes tells how many bytes of context it needs in addition, a multiple of
// abi::scratch_alignment. Functions whose address is taken and recursive functions keep their variables on the
// stack; stack_bytes() tells how much stack is still needed.
// Test: tests/passes/codegen/large_private.ll, tests/process/memory/small_stacks.cpp

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace hostcl::compiler {

/// An estimate of the stack that a function and the functions it calls need at most: their variables, and an allowance
/// for each call. Spilled registers are not included, because they are not known yet.
std::uint64_t stack_bytes(const llvm::Function& function);

/// The bytes of private variables that this pass has moved to the entry's context.
std::uint64_t moved_private_bytes(const llvm::Function& entry);

struct LargePrivatePass : llvm::PassInfoMixin<LargePrivatePass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
