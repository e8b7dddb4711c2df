#pragma once

// Opcodes, among them those that older versions of the SPIR-V headers do not have.

#include <spirv/unified1/spirv.hpp>

namespace hostcl::compiler::spirv {

namespace newer_opcodes {
#define CAPABILITY(number, name)
#define OPCODE(number, name) inline constexpr auto name = static_cast<spv::Op>(number);
#include "compiler/front/spirv/newer_names.inc"
#undef CAPABILITY
#undef OPCODE
} // namespace newer_opcodes

/// All opcodes by name. Names must be qualified, so that a declaration in the headers takes precedence over
/// one above.
namespace opcodes {
using enum spv::Op;
using namespace newer_opcodes;
} // namespace opcodes

} // namespace hostcl::compiler::spirv
