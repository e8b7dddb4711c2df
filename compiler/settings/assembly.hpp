#pragma once

// Whether SPIR-V and binaries may contain inline assembly (HOSTCL_ASSEMBLY). Empty assembly is always
// allowed; in SPIR-V, nop, pause and fences are always allowed as well.

namespace hostcl::compiler {

/// Must be called before anything is compiled.
void allow_assembly(bool allowed);
bool is_assembly_allowed();

} // namespace hostcl::compiler
