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

/// The instruction that the function is, or nothing.
std::optional<MathsInstruction> maths_instruction_of(const llvm::Function& function);

/// The instruction that `call` calls directly, or nothing.
std::optional<MathsInstruction> called_maths_instruction(const llvm::CallBase& call);

/// Whether the operand is a scalar for vectors too: the table of entry() and its size.
bool is_scalar_operand(MathsInstruction instruction, unsigned operand);

/// The function `like`, which is this instruction, for the type `result` instead: float, double, or a vector of them.
llvm::Function* declare_maths_instruction(MathsInstruction instruction, llvm::Function& like,
                                          llvm::Type* result);

/// Replaces `__hostcl_maths_has_float_parts` by a constant, and without float parts, look-ups in tables by loads.
void choose_maths_instructions(llvm::Module& module, bool has_float_parts);

/// Replaces calls of the function `question`, which has no parameters, by a constant.
void answer_question(llvm::Module& module, llvm::StringRef question, bool answer);

} // namespace hostcl::compiler
