#pragma once

// What modules in SPIR-V may declare. The lists are capabilities.inc and extensions.inc.

#include <cstdint>
#include <optional>
#include <string_view>

namespace hostcl::compiler::spirv {

bool is_supported_capability(std::uint32_t capability);

/// As the registry has it ("Int64Atomics"), of supported capabilities and others; empty if the registry has none of it.
std::string_view capability_name(std::uint32_t capability);

bool is_supported_extension(std::string_view name);

/// Sets of extended instructions (OpExtInstImport).
enum class InstructionSet { open_cl, debug_information, non_semantic };

/// The set of extended instructions of this name, or nothing. The queries do not list the non-semantic ones, whose
/// instructions mean nothing.
std::optional<InstructionSet> instruction_set(std::string_view name);

} // namespace hostcl::compiler::spirv
