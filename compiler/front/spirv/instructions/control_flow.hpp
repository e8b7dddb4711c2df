#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Ends the block with code that ends the launch.
/// @param text message for standard error; may be empty
void write_abort(Reader& reader, llvm::StringRef text);

} // namespace hostcl::compiler::spirv
