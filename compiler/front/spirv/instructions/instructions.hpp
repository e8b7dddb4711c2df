#pragma once

// The table of instructions that the reader knows, made of instructions.inc, and what the functions that read
// them share.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// The first two operands of an instruction whose result is a value in IR.
struct Result {
  const Type& type;
  Id id;
};

inline Result read_result(Reader& r, Operands& in) {
  const Type& type = r.value_type(in.id());
  return {type, in.id()};
}

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
