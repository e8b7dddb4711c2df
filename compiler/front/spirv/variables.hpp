#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// A private variable that holds a built-in variable's value from the function's begin on. Its address can be taken
/// and passed on, which is rare; otherwise nothing is left of it after optimisation.
/// @param pointer type of the result, whose storage class old producers have as CrossWorkgroup
/// @param number as the decoration BuiltIn has it
llvm::Value* built_in_variable(Reader& reader, std::uint32_t number, const Type& pointer);

/// Stores an object, a large constant as a copy of memory.
llvm::Instruction* store_object(Reader& reader, const TypedValue& object, llvm::Value* pointer,
                                llvm::Align alignment, bool is_volatile);

} // namespace hostcl::compiler::spirv
