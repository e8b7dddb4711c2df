#pragma once

// Serialises KernelNotes (what profiles report about a kernel: compiler/noted_code.hpp), for the disk cache
// and for replies of compile servers.

#include "compiler/noted_code.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

std::vector<std::byte> packed(const KernelNotes& notes);
/// @returns empty notes if there are too few or too many bytes
KernelNotes unpacked_notes(std::span<const std::byte> bytes);

} // namespace hostcl::compiler
