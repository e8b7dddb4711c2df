#pragma once

// Whether modules may have assembly that does something (HOSTCL_ASSEMBLY).

namespace hostcl::compiler {

/// Call it before anything is compiled.
void allow_assembly(bool allowed);
bool is_assembly_allowed();

} // namespace hostcl::compiler
