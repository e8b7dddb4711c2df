#pragma once

// The parts of composites. A part is an element of a vector or array, or a member of a structure.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// The number of parts; 0 if the type is not a composite.
std::size_t part_count(const Type& type);

/// The type of a part. Refuses the module if the type is not a composite, or if it has no part with this
/// index.
const Type& part_type(const Type& type, std::uint64_t index);

/// A part of a composite. LLVM has separate instructions for vectors and for aggregates.
llvm::Value* extract(Reader& reader, llvm::Value* composite, unsigned index);
/// The composite with `part` in place of its part at `index`.
llvm::Value* insert(Reader& reader, llvm::Value* composite, llvm::Value* part, unsigned index);
/// A composite of these parts.
llvm::Value* together(Reader& reader, const Type& composite, llvm::ArrayRef<llvm::Value*> parts);

/// Refuses a matrix with another number of constituents than one.
void check_matrix_constituents(const Operands& constituents);

} // namespace hostcl::compiler::spirv
