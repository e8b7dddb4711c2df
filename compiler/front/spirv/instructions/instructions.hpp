#pragma once

// The table of instructions that the reader knows, made of instructions.inc, and what the functions that read
// them share.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

namespace newer_opcodes {
#define CAPABILITY(number, name)
#define OPCODE(number, name) inline constexpr auto name = static_cast<spv::Op>(number);
#include "compiler/front/spirv/newer_names.inc"
#undef CAPABILITY
#undef OPCODE
} // namespace newer_opcodes

/// All opcodes by name, among them those that older versions of the SPIR-V headers do not have. Names must be
/// qualified, so that a declaration in the headers takes precedence over one above.
namespace opcodes {
using enum spv::Op;
using namespace newer_opcodes;
} // namespace opcodes

/// Refuses an instruction whose result may not be a cooperative matrix.
void check_matrix_operation(spv::Op op);

/// Reads the first two operands of an instruction whose result is a value in IR: the result type, which is returned,
/// and the result's id, which `in.result()` returns afterwards.
inline const Type& read_result(Reader& r, Operands& in) {
  const Type& type = r.value_type(in.id());
  if (type.is(Type::Kind::matrix)) check_matrix_operation(in.op());
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

/// Makes the code of `access`: under a branch, unless the condition is constant. Then code continues after the branch,
/// where the result is the value of `access` or `otherwise`.
/// @returns null if `access` has no value
llvm::Value* where(Reader& r, llvm::Value* condition, llvm::Value* otherwise,
                   llvm::function_ref<llvm::Value*()> access);

/// Refuses a result type that is not of this kind, or not a vector of scalars of this kind.
void require(const Type& type, Type::Kind kind);
/// Refuses a result type that is not of this kind.
void require_scalar(const Type& type, Type::Kind kind);

/// Whether both are scalars, vectors of the same length, or matrices of the same rows, columns and use.
bool has_shape_of(const Type& a, const Type& b);

/// Applies the decorations of the result that allow or forbid optimisations of LLVM.
/// @returns the value
llvm::Value* decorated(Reader& reader, Id result, llvm::Value* value);

/// The mode in which a quotient or a square root is rounded, if a decoration of the result says it.
/// @param type of the result
std::optional<std::uint32_t> rounding_of(Reader& reader, const Type& type, Id result);
/// a / b, rounded in a mode of SPIR-V.
llvm::Value* rounded_quotient(Reader& reader, const Type& type, std::uint32_t mode, llvm::Value* a,
                              llvm::Value* b);
/// The square root, rounded in a mode of SPIR-V.
llvm::Value* rounded_root(Reader& reader, const Type& type, std::uint32_t mode, llvm::Value* a);

/// Rounds a number to bfloat16 or float8, ties to even.
/// @param saturates whether a number outside float8's range becomes the largest float8 number, not a NaN or infinity
/// @param towards_zero converts the number to float, and `back` a float to the number's type, to see whether
/// the first conversion has rounded
llvm::Value* short_float_of(Reader& reader, const Type& type, const TypedValue& number, bool saturates,
                            llvm::function_ref<llvm::Value*()> towards_zero,
                            llvm::function_ref<llvm::Value*(llvm::Value*)> back);

/// Rounds floats or doubles to the nearest bfloat16, ties to even. @param type of the result
llvm::Value* rounded_to_bfloat(Reader& reader, const Type& type, const TypedValue& number);

/// The optional operands of an access (section 3.26).
struct Access {
  bool is_volatile = false, is_nontemporal = false;
  std::uint32_t alignment = 0; ///< 0 if not given
  llvm::MDNode *alias_scope = nullptr, *no_alias = nullptr;

  llvm::Align alignment_of(Reader& reader, llvm::Type* type) const;
};

Access read_access(Reader& reader, Operands& in);
/// Gives the access to a load or store.
void decorate(Reader& reader, llvm::Instruction& instruction, const Access& access);

/// Stores an object. A large constant is copied from memory instead.
llvm::Instruction* store_object(Reader& reader, const TypedValue& object, llvm::Value* pointer,
                                llvm::Align alignment, bool is_volatile);

/// Ends the block with code that ends the launch.
/// @param text message for standard error; may be empty
void write_abort(Reader& reader, llvm::StringRef text);

} // namespace hostcl::compiler::spirv
