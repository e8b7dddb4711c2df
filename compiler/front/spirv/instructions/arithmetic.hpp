#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Refuses a result type whose scalars are not floating-point numbers (`is_float`) or not integers (otherwise).
void check_result(const Type& type, bool is_float);

/// Applies decorations that allow LLVM something, or forbid it.
void decorate_number(Reader& reader, Id result, llvm::Value* value);

} // namespace hostcl::compiler::spirv
