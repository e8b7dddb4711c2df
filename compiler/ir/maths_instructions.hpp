#pragma once

// Recognises and declares the functions `__hostcl_maths_*` of docs/kernel-ir.md: steps of mathematical functions that
// some CPUs have as one instruction for a vector. Tests: tests/passes/6_host/maths_instructions*.ll

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Module;
class Type;
} // namespace llvm

namespace hostcl::compiler {

enum class MathsInstruction { exponent, significand, scale, reciprocal, rsqrt, entry };

/// The instruction that the function stands for; nothing for other functions.
std::optional<MathsInstruction> maths_instruction_of(const llvm::Function& function);

/// The instruction that `call` stands for; nothing for other calls, and for indirect ones.
std::optional<MathsInstruction> called_maths_instruction(const llvm::CallBase& call);

/// Whether the operand stays a scalar if the result is a vector: the table of entry() and the number of entries.
bool is_scalar_operand(MathsInstruction instruction, unsigned operand);

/// Declares the instruction for the type `result` (float, double, or a vector of them), with the attributes of `like`,
/// which is the same instruction for another type.
llvm::Function* declare_maths_instruction(MathsInstruction instruction, llvm::Function& like,
                                          llvm::Type* result);

/// Replaces calls of `__hostcl_maths_has_float_parts` by a constant. If the constant is false, replaces calls of
/// `__hostcl_maths_entry` by loads from the table.
void choose_maths_instructions(llvm::Module& module, bool has_float_parts);

/// Replaces calls of the function `question`, which returns i1 and has no parameters, by a constant.
void answer_question(llvm::Module& module, llvm::StringRef question, bool answer);

} // namespace hostcl::compiler
