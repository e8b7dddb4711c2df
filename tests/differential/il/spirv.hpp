#pragma once

// Programs from SPIR-V, which clang makes of the kernel's source.

#include <string>

namespace differential {

/// The module, or nothing where clang cannot translate the source, makes an invalid module, or is known to translate
/// such a source wrongly.
/// @param options of clang, among them its level of optimisation
std::string spirv_of(const std::string& source, const std::string& options);

} // namespace differential
