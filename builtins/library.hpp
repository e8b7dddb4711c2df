#pragma once

// The built-in library as the compiler sees it: LLVM bitcode units, an index of the functions that they
// define, and the headers that kernels may include. Everything is read-only data of the driver; nothing runs
// at start-up.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hostcl::builtins {

/// A part of a compiled `*.clcpp` file (embed.cpp splits large files). The bitcode is read lazily. Its public
/// functions have external linkage, and all other functions are internal. Functions of other parts are
/// declarations.
struct Unit {
  std::string_view name;
  std::span<const std::byte> bitcode;
};

/// A header that `#include <name>` finds with no file on disk.
struct EmbeddedHeader {
  std::string_view name;
  std::string_view text;
};

/// All units. The pointers are valid as long as the process runs.
std::span<const Unit> units();

/// The unit that defines a function, by its mangled name; null if there is none. Binary search.
const Unit* find(std::string_view mangled_symbol);

/// Declarations added in front of every program. Small, because every build parses it.
std::string_view header();

/// Names of the embedded headers that declare functions and types that `source` mentions and clang does not
/// declare itself. They are included after header(). They are not part of header() because parsing them costs
/// time, and because declaring an overload of a built-in function hides clang's own overloads.
std::vector<std::string_view> headers_for(std::string_view source);

/// The headers that kernels may include, by name.
std::span<const EmbeddedHeader> embedded_headers();

} // namespace hostcl::builtins
