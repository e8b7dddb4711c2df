#pragma once

// Writes all instructions except phis and terminators in the forms of the plan. Each kind of instruction is written by
// a function or class of its own, which owns the state that it keeps between instructions.

#include "compiler/passes/2_vector/memory/append_stores.hpp"
#include "compiler/passes/2_vector/memory/memory.hpp"
#include "compiler/passes/2_vector/values/short_vectors.hpp"

namespace hostcl::compiler {

class InstructionWriter {
public:
  explicit InstructionWriter(Emission& e) : e_(e), appends_(e), memory_(e, appends_), short_vectors_(e) {}

  /// Writes one instruction (not a phi, not a terminator) for all lanes, in the form of the plan.
  void write(llvm::Instruction& instruction);

private:
  Emission& e_;
  AppendStores appends_;
  MemoryAccesses memory_;
  ShortVectors short_vectors_;
};

/// See WriteVectorForm.
void write_vector_form(Emission& e, llvm::Instruction& instruction);
/// Writes a division in the form of the plan: widen, widen_float or widen_masked.
void emit_division(Emission& e, llvm::Instruction& division);
void emit_sub_group(Emission& e, llvm::CallInst& call);
/// Calls LLVM's vector form of an intrinsic.
void emit_vector_intrinsic(Emission& e, llvm::CallInst& call);
/// Calls the driver's function that takes all lanes at once (ManyForm).
void emit_for_all_lanes(Emission& e, llvm::CallInst& call);
/// Writes one call for all active lanes, of a call that counts executions (passes/coverage/instrumentation.hpp).
void emit_count(Emission& e, llvm::CallInst& call);
/// Writes a call for the first active lane only: a call that does not return, or one that a single lane makes for all.
void emit_for_first_lane(Emission& e, llvm::CallInst& call);

} // namespace hostcl::compiler
