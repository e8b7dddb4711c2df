#pragma once

// KernelNotes as bytes, for the disk cache and for messages of compile servers.

#include "compiler/noted_code.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

std::vector<std::byte> packed(const KernelNotes& notes);
/// Returns empty notes if the bytes are damaged.
KernelNotes unpacked_notes(std::span<const std::byte> bytes);

} // namespace hostcl::compiler
