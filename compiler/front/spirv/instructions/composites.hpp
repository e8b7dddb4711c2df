#pragma once

// Looks up the parts of a composite SPIR-V type. A part is an element of a vector or array, or a member of a
// structure.

#include "compiler/front/spirv/types.hpp"

namespace hostcl::compiler::spirv {

/// The number of parts; 0 if the type is not a composite.
std::size_t part_count(const Type& type);

/// The type of a part. Refuses the module if the type is not a composite, or if it has no part with this
/// index.
const Type& part_type(const Type& type, std::uint64_t index);

} // namespace hostcl::compiler::spirv
