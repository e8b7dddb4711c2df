#pragma once

// Elements of vectors and arrays, and members of structures.

#include "compiler/front/spirv/types.hpp"

namespace hostcl::compiler::spirv {

std::size_t part_count(const Type& type);

/// The type of an element or member. Refuses an index that does not exist.
const Type& part_type(const Type& type, std::uint64_t index);

} // namespace hostcl::compiler::spirv
