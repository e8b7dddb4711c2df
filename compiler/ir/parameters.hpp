#pragma once

// Adds parameters to functions and arguments to their calls.

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Replaces a function by one that has additional parameters at the end. The new function takes over the name and the
/// body; the old one is left without body, and calls still refer to it.
llvm::Function& with_parameters(llvm::Function& function, llvm::ArrayRef<llvm::Type*> types);

/// Replaces a call by a call of `callee` with additional arguments.
llvm::CallInst& with_arguments(llvm::CallBase& call, llvm::Function& callee,
                               llvm::ArrayRef<llvm::Value*> arguments);

} // namespace hostcl::compiler
