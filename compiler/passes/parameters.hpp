#pragma once

// Functions that get more parameters than they had.

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// A function with more parameters, after those it had, in the place of another, which is left without code. Calls
/// still call the old one.
llvm::Function& with_parameters(llvm::Function& function, llvm::ArrayRef<llvm::Type*> types);

/// Replaces a call by one of such a function, which passes more arguments.
llvm::CallInst& with_arguments(llvm::CallBase& call, llvm::Function& callee,
                               llvm::ArrayRef<llvm::Value*> arguments);

} // namespace hostcl::compiler
