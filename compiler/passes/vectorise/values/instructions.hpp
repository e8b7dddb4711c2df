#pragma once

// Instructions that have a vector form, and their costs. Each kind is written by the form for it, which owns
// what it has to remember between instructions.

#include "compiler/passes/vectorise/memory/append_stores.hpp"
#include "compiler/passes/vectorise/memory/memory.hpp"
#include "compiler/passes/vectorise/values/short_vectors.hpp"

namespace hostcl::compiler {

class InstructionWriter {
public:
  /// @param loops those of the emission's source
  InstructionWriter(Emission& e, const Shapes& shapes, const llvm::LoopInfo& loops)
      : e_(e), appends_(e), memory_(e, shapes, loops, appends_), short_vectors_(e) {}

  /// Writes one instruction (not a phi, not a terminator) for all lanes.
  void write(llvm::Instruction& instruction);

  /// Whether the instruction needs an active lane.
  bool needs_active_lane(const llvm::Instruction& instruction);
  /// Whether the instruction may take very long if no lane is active.
  bool is_slow_without_lanes(const llvm::Instruction& instruction);
  /// Its cost, in simple operations as operations_of() has them; accesses that are guessed have two forms.
  unsigned cost_of(const llvm::Instruction& instruction);

private:
  Emission& e_;
  AppendStores appends_;
  MemoryAccesses memory_;
  ShortVectors short_vectors_;
};

/// As WriteVectorForm has it.
void write_vector_form(Emission& e, llvm::Instruction& instruction);

} // namespace hostcl::compiler
