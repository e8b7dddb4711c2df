#pragma once

// Parts of vectors, arrays and structures.

#include "compiler/front/spirv/types.hpp"

namespace hostcl::compiler::spirv {

std::size_t part_count(const Type& type);

/// The type of a part; refuses one that is not there.
const Type& part_type(const Type& type, std::uint64_t index);

} // namespace hostcl::compiler::spirv
