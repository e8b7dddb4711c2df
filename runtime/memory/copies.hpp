#pragma once

// Copies and fills of contiguous memory.

#include <cstddef>

namespace hostcl::runtime {

class Workers;

/// Copies memory that does not overlap. Uses several threads if that is faster.
void copy_bytes(Workers& workers, void* to, const void* from, std::size_t bytes);
/// Fills memory with the pattern. `bytes` must be a multiple of the pattern's size.
void fill_bytes(Workers& workers, void* to, const void* pattern, std::size_t pattern_bytes,
                std::size_t bytes);

} // namespace hostcl::runtime
