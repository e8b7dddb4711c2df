#pragma once

// Whether modules may contain inline assembly (HOSTCL_ASSEMBLY), except for assembly without instructions.

namespace hostcl::compiler {

/// Must be called before anything is compiled.
void allow_assembly(bool allowed);
bool is_assembly_allowed();

} // namespace hostcl::compiler
