#pragma once

// Moves private variables of kernels that need more than 16 KiB of stack from the stack to the thread context
// (parameter `context` of abi::Entry). The stack may be that of an application's thread, and may be small. The pass
// moves the variables of the entry function, and of the functions that the entry function calls, directly or
// indirectly. Variables below 64 bytes stay on the stack, unless these variables alone need more than 16 KiB. The
// memory of a function's variables follows the memory of its caller's variables.
//
// The variables take the beginning of the context. All other uses of %context are replaced by %after, the address
// behind the variables, so that the memory that earlier passes use in the context is shifted:
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
// In: the module of one entry (kernel_entry.cpp) after all optimisations. Out: the entry's attribute
// hostcl.private_bytes is the size of the memory at the beginning of the context that holds the moved variables, a
// multiple of abi::scratch_alignment. The context must be larger by this size than the attributes hostcl.context_fixed
// and hostcl.context_per_chunk say. Functions whose address is taken, recursive functions, and the functions that these
// call, keep their variables on the stack; stack_bytes() estimates the stack that is still needed.
// Test: tests/passes/6_host/large_private.ll, tests/process/memory/small_stacks.cpp

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace hostcl::compiler {

/// An estimate of the stack that a function needs with the deepest chain of direct calls: the sizes and alignments of
/// the variables, and an allowance for each call. A recursive function counts once. Calls through pointers are not
/// included; neither are spilled registers, which are not known yet.
std::uint64_t stack_bytes(const llvm::Function& function);

/// The attribute hostcl.private_bytes: the size of the memory at the beginning of the entry's context that holds moved
/// variables; 0 if the pass has moved none.
std::uint64_t moved_private_bytes(const llvm::Function& entry);

} // namespace hostcl::compiler
