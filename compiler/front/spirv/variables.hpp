#pragma once

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Stores an object. A large constant is copied from memory instead.
llvm::Instruction* store_object(Reader& reader, const TypedValue& object, llvm::Value* pointer,
                                llvm::Align alignment, bool is_volatile);

} // namespace hostcl::compiler::spirv
