#pragma once

// Whether a kernel's first code, which is quick to make, is replaced by better code: it takes its time where it stays.

namespace hostcl::compiler {

/// Call it before anything is compiled.
void expect_second_code(bool expected);
bool is_second_code_expected();

} // namespace hostcl::compiler
