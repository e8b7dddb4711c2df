#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Stores an object, a large constant as a copy of memory.
llvm::Instruction* store_object(Reader& reader, const TypedValue& object, llvm::Value* pointer,
                                llvm::Align alignment, bool is_volatile);

} // namespace hostcl::compiler::spirv
