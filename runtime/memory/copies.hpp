#pragma once

// Copies and fills of plain memory.

#include <cstddef>

namespace hostcl::runtime {

class Workers;

/// Copies memory that does not overlap, on several threads when that is faster.
void copy_bytes(Workers& workers, void* to, const void* from, std::size_t bytes);
/// Repeats the pattern over `bytes`, a multiple of its size.
void fill_bytes(Workers& workers, void* to, const void* pattern, std::size_t pattern_bytes,
                std::size_t bytes);

} // namespace hostcl::runtime
