#pragma once

// printf of OpenCL C (3.0, 6.15.14), host side: formats a message from the block of arguments that
// passes/prepare/lower_printf.hpp packs in the kernel, for abi::HostCallbacks::print.

#include <cstddef>
#include <cstdint>
#include <string>

namespace hostcl::compiler {

/// The kind of an argument's elements.
enum class PrintKind : std::uint8_t {
  end,     ///< no more arguments
  integer, ///< elements of 1, 2, 4 or 8 bytes
  real,    ///< elements of 2 (half), 4 or 8 bytes
  pointer, ///< one address; a string for %s
};

/// Stands in front of each argument's elements, which follow it without gaps; the next one starts at the next
/// multiple of 8 bytes. A header of kind `end` closes the block. Everything is aligned to 8 bytes.
struct PrintArgument {
  PrintKind kind;
  std::uint8_t element_bytes;
  std::uint8_t count; ///< elements of a vector; 1 for a scalar
  std::uint8_t reserved[5];
};
static_assert(sizeof(PrintArgument) == 8);

/// Appends the message to `out`. False if the format is malformed, asks for an argument that is not there or
/// for one of another type; the message is written nonetheless, to help to find the mistake: conversions
/// without an argument as they are written, other arguments as %d, %g or %p would have them.
bool format_message(std::string& out, const char* format, const std::byte* arguments);

} // namespace hostcl::compiler
