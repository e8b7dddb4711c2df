#pragma once

// The table of instructions that the reader knows, made of instructions.inc.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

struct InstructionRow {
  spv::Op op;
  const char* name;
  const char* operands; ///< in the notation of instructions.inc
  void (*read)(Reader&, Operands);
  bool makes_constants; ///< whether OpSpecConstantOp may have it
};

/// The row of an instruction, or null.
const InstructionRow* find_row(spv::Op op);

/// The name of an instruction in the registry, such as "OpLoad", or "instruction 65535".
std::string instruction_name(spv::Op op);

} // namespace hostcl::compiler::spirv
