#pragma once

// Writes the vector form of all instructions except phis and terminators, and knows their costs. Each kind of
// instruction is written by a function or class of its own, which owns the state that it keeps between instructions.

#include "compiler/passes/2_vector/memory/append_stores.hpp"
#include "compiler/passes/2_vector/memory/memory.hpp"
#include "compiler/passes/2_vector/values/short_vectors.hpp"

namespace hostcl::compiler {

class InstructionWriter {
public:
  /// @param loops the loops of the emission's source
  InstructionWriter(Emission& e, const llvm::LoopInfo& loops)
      : e_(e), appends_(e), memory_(e, loops, appends_), short_vectors_(e) {}

  /// Writes one instruction (not a phi, not a terminator) for all lanes.
  void write(llvm::Instruction& instruction);

  /// Whether the instruction must not be executed without an active lane.
  bool needs_active_lane(const llvm::Instruction& instruction);
  /// Whether the instruction may take very long if no lane is active (MemoryAccesses::may_lie_on_missing_page()).
  bool is_slow_without_lanes(const llvm::Instruction& instruction);
  /// The instruction's cost in simple operations (operations_of()); twice that of an access that is written in two
  /// forms.
  unsigned cost_of(const llvm::Instruction& instruction);

private:
  Emission& e_;
  AppendStores appends_;
  MemoryAccesses memory_;
  ShortVectors short_vectors_;
};

/// See WriteVectorForm.
void write_vector_form(Emission& e, llvm::Instruction& instruction);

} // namespace hostcl::compiler
