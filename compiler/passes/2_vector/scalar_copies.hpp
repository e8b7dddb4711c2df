#pragma once

// Writes copies of scalar instructions: one copy for all lanes, or one copy for each active lane.

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Writes an instruction whose result is uniform or affine once, for all lanes.
void emit_scalar(Emission& e, llvm::Instruction& instruction);

/// Writes an instruction that has no vector form: it is executed once for each active lane.
void emit_lane_by_lane(Emission& e, llvm::Instruction& instruction);

/// Writes a loop over the active lanes in ascending order; `body` writes the loop's body. `lane` is an i32.
void emit_for_each_lane(Emission& e, llvm::Value* mask, llvm::function_ref<void(llvm::Value* lane)> body);

} // namespace hostcl::compiler
