#pragma once

// Whether tier 1 code will replace a kernel's tier 0 code. If not, tier 0 code is compiled with more care.

namespace hostcl::compiler {

/// Must be called before anything is compiled.
void expect_tier1(bool expected);
bool is_tier1_expected();

} // namespace hostcl::compiler
