#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Refuses a result type that is not a number of this kind, or a vector of such numbers.
void check_result(const Type& type, bool is_float);

/// Applies decorations that allow LLVM something, or forbid it.
void decorate_number(Reader& reader, Id result, llvm::Value* value);

} // namespace hostcl::compiler::spirv
