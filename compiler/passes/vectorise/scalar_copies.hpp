#pragma once

// Instructions that stay as they are: once for all lanes, or once for each active lane.

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Copies a uniform or affine instruction.
void emit_scalar(Emission& e, llvm::Instruction& instruction);

/// Runs the instruction as it is, once for each active lane.
void emit_lane_by_lane(Emission& e, llvm::Instruction& instruction);

/// Writes a loop over the active lanes, whose body the function `body` writes; `lane` is an i32.
void emit_for_each_lane(Emission& e, llvm::Value* mask, llvm::function_ref<void(llvm::Value* lane)> body);

} // namespace hostcl::compiler
