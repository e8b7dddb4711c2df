#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Applies decorations that allow LLVM something, or forbid it.
/// @returns the value
llvm::Value* decorated(Reader& reader, Id result, llvm::Value* value);

} // namespace hostcl::compiler::spirv
