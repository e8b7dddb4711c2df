#pragma once

// Writes and recognises calls in kernels with checks: of host callbacks, of intrinsics, and of OpenCL C's built-in
// functions, which code calls by their mangled names before the library is linked.

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The parts of a mangled name. `_Z5clampDv4_jS_S_` has the name `clamp` and the element type `j` (uint).
struct CalledName {
  llvm::StringRef name;
  llvm::StringRef parameters; ///< the mangled parameters
  char element = 0;           ///< the first parameter's mangled element type
};

/// Parses the name of the built-in function that the code calls; empty for other calls.
CalledName called_name(const llvm::CallBase& call);

/// The name of the function that `value` calls directly; empty if it is no such call.
llvm::StringRef called_function(const llvm::Value& value);

/// Writes a call of a function, which is declared if necessary.
llvm::CallInst* call_function(llvm::IRBuilder<>& builder, const llvm::Twine& name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Value*> operands = {});
/// Writes a call of a function that returns, throws nothing, and has no other effects on memory than these.
llvm::CallInst* call_host(llvm::IRBuilder<>& builder, const llvm::Twine& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> operands,
                          llvm::MemoryEffects effects = llvm::MemoryEffects::inaccessibleMemOnly());
/// Writes a call of an intrinsic whose parameter is a constant: a dimension, an argument's number, a barrier's flags.
llvm::CallInst* call_intrinsic(llvm::IRBuilder<>& builder, Intrinsic intrinsic, std::size_t operand,
                               const llvm::Twine& name = "");

} // namespace hostcl::compiler
