#pragma once

// Calls through function pointers in linked programs (SPV_INTEL_function_pointers; virtual functions of
// SYCL).
//
// A function pointer is a number, which is the same in all kernels and all code of a program. A call through
// a pointer becomes a call of a function with a switch over the numbers of all functions whose address is
// taken and that have the type of the call. So an invalid pointer ends the launch instead of the process, and
// all later passes see direct calls only.
//
//   before:  %r = call i32 %pointer(i32 %x)
//   after:   %r = call i32 @il.call_through_pointer(i64 %number, i32 %x)
//            define internal i32 @il.call_through_pointer(i64 %number, i32 %x) {
//              switch i64 %number, label %none [ i64 NUMBER, label %f ... ]
//            f:     %r = call i32 @f(i32 %x)
//                   ret i32 %r
//            none:  call void @__hostcl_no_function()
//
// Test: tests/spirv/extensions/function_pointers.spvasm

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// Prefix of the names of functions that replace calls through pointers.
inline constexpr llvm::StringLiteral pointer_call_name = "il.call_through_pointer";

/// Whether the module calls functions through pointers, or contains addresses of functions.
bool has_function_pointers(const llvm::Module& module);

/// Replaces function pointers and calls through them. The module must have all functions of its program.
void lower_function_pointers(llvm::Module& module);

} // namespace hostcl::compiler
