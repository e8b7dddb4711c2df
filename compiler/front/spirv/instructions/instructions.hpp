#pragma once

// The instructions that the reader knows: instructions.inc as a table.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

struct InstructionRow {
  spv::Op op;
  const char* name;
  const char* operands; ///< as instructions.inc describes them
  void (*read)(Reader&, Operands);
  bool makes_constants; ///< OpSpecConstantOp may have it
};

/// The row of an instruction, or null.
const InstructionRow* find_row(spv::Op op);

/// "OpLoad": the name of any instruction of the registry, or "instruction 65535".
std::string instruction_name(spv::Op op);

} // namespace hostcl::compiler::spirv
