#pragma once

// The table of instructions that the reader knows, made of instructions.inc, and what the functions that read
// them share.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Takes the type of an instruction whose result is a value in IR. The result becomes that of the operands.
inline const Type& read_result(Reader& r, Operands& in) {
  const Type& type = r.value_type(in.id());
  in.take_result();
  return type;
}

struct InstructionRow {
  spv::Op op;
  const char* name;
  const char* operands; ///< in the notation of instructions.inc
  /// Reads an instruction with all its operands; null for an operation.
  void (*read)(Reader&, Operands);
  /// Makes the code of an operation, whose result has this type, and returns its value; null for other
  /// instructions.
  llvm::Value* (*make)(Reader&, const Type&, Operands);
  bool makes_constants; ///< whether OpSpecConstantOp may have the operation
};

/// The row of an instruction, or null.
const InstructionRow* find_row(spv::Op op);

/// The name of an instruction in the registry, such as "OpLoad", or "instruction 65535".
std::string instruction_name(spv::Op op);

/// Reads an instruction of this row.
void read_instruction(Reader& reader, const InstructionRow& row, Operands in);

/// Refuses a result type that is not of this kind, or not a vector of scalars of this kind.
void require(const Type& type, Type::Kind kind);
/// Refuses a result type that is not of this kind.
void require_scalar(const Type& type, Type::Kind kind);

/// Whether both are scalars, or vectors of the same length.
bool has_shape_of(const Type& a, const Type& b);

} // namespace hostcl::compiler::spirv
