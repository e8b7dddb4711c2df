#pragma once

// The capabilities, extensions and instruction sets that SPIR-V modules may declare. capabilities.inc and
// extensions.inc list the first two.

#include "compiler/settings/language.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace hostcl::compiler::spirv {

bool is_supported_capability(std::uint32_t capability);

/// An extension or feature that would give the device this capability; empty if the device has the capability already.
std::string_view missing_for(std::uint32_t capability, const Language& language);

/// The name of a capability in the registry, such as "Int64Atomics", supported or not; empty if the registry
/// has none.
std::string_view capability_name(std::uint32_t capability);

bool is_supported_extension(std::string_view name);

/// Sets of extended instructions, as OpExtInstImport imports them.
enum class InstructionSet {
  open_cl,
  debug_information,        ///< the sets whose line numbers are literals
  shader_debug_information, ///< the set whose line numbers are ids of constants
  non_semantic
};

/// The instruction set of this name, or nothing. Queries do not list non-semantic sets, whose instructions
/// are ignored.
std::optional<InstructionSet> instruction_set(std::string_view name);

} // namespace hostcl::compiler::spirv
