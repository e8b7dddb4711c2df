#pragma once

// What modules in SPIR-V may declare. The lists are capabilities.inc and extensions.inc.

#include <cstdint>
#include <string_view>

namespace hostcl::compiler::spirv {

bool is_supported_capability(std::uint32_t capability);

/// As the registry has it ("Int64Atomics"), of supported capabilities and others; empty if no kernel has use for it.
std::string_view capability_name(std::uint32_t capability);

bool is_supported_extension(std::string_view name);

/// Also true of all sets whose instructions mean nothing, which the queries do not list.
bool is_supported_instruction_set(std::string_view name);

} // namespace hostcl::compiler::spirv
