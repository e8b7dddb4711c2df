#pragma once

// printf of OpenCL C (3.0, 6.15.14), host side: formats a message from the block of arguments that
// passes/1_kernel/lower_printf.hpp packs in the kernel, for abi::HostCallbacks::print.

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

/// The header of an argument. The argument's elements follow the header without gaps, and the next header
/// starts at the next multiple of 8 bytes. A header of kind `end` ends the block.
struct PrintArgument {
  PrintKind kind;
  std::uint8_t element_bytes;
  std::uint8_t count; ///< elements of a vector; 1 for a scalar
  std::uint8_t reserved[5];
};
static_assert(sizeof(PrintArgument) == 8);

/// Appends the message to `out`. Returns false if the format is malformed, or has a conversion whose argument
/// is missing or has another type. The message is written nonetheless, to help to find the mistake: a
/// conversion without an argument is copied as it is, and an argument of another type is written as by %d, %g
/// or %p.
bool format_message(std::string& out, const char* format, const std::byte* arguments);

} // namespace hostcl::compiler
