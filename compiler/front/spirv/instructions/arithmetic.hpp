#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Decorations that allow or forbid LLVM something.
void decorate_number(Reader& reader, Id result, llvm::Value* value);

} // namespace hostcl::compiler::spirv
