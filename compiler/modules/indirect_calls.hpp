#pragma once

// Calls through pointers to functions (SPV_INTEL_function_pointers; virtual functions of SYCL), in linked programs.
//
// A pointer to a function is a number, which is the same in all kernels and all code of a program; a call through one
// asks which of the program's functions it is, among those whose address is taken and that have the call's type. So a
// pointer that is none of them ends the launch, not the process, and all that follows sees direct calls.
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

/// What the names of functions begin with that stand for calls through pointers.
inline constexpr llvm::StringLiteral pointer_call_name = "il.call_through_pointer";

/// Whether the module calls functions through pointers, or keeps addresses of functions.
bool has_function_pointers(const llvm::Module& module);

/// Removes both. The module has all functions of its program.
void lower_function_pointers(llvm::Module& module);

} // namespace hostcl::compiler
