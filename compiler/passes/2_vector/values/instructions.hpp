#pragma once

// Writes all instructions except phis and terminators in the forms of the plan. Each kind of instruction is written by a
// function or class of its own, which owns the state that it keeps between instructions.

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

} // namespace hostcl::compiler
