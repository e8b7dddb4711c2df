#pragma once

// A kernel's notes as bytes, for caches and messages.

#include "compiler/noted_code.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

std::vector<std::byte> packed(const KernelNotes& notes);
/// Without anything where the bytes are damaged.
KernelNotes unpacked_notes(std::span<const std::byte> bytes);

} // namespace hostcl::compiler
