#pragma once

// Whose code caused a signal that ends the process, for `hostcl-check --fail-each`.

#include <string_view>

#include <ucontext.h>

namespace hostcl::runtime::faults {

/// Notes in the tally whose code caused the signal: the code of hostcl, of a kernel, or of the application and its
/// libraries. Called in the signal's handler.
/// @param context the state of the thread when the signal came
void note_crash(std::string_view signal, const ucontext_t& context) noexcept;

} // namespace hostcl::runtime::faults
