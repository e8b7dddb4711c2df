#pragma once

// Layout of the archive that embed.cpp writes and library.cpp reads. The archive has offsets instead of
// pointers, so that it needs no relocations when the driver is loaded. Numbers are little-endian, as on all
// hosts. Writer and reader are built together, so the layout has no version number.

#include <cstdint>

namespace hostcl::builtins {

struct Text {
  std::uint32_t offset;
  std::uint32_t size;
};

struct ArchiveUnit {
  Text name;
  Text bitcode;
};

struct ArchiveSymbol {
  Text name;
  std::uint32_t unit;
};

struct ArchiveHeader {
  Text name;
  Text text;
};

/// Followed by `units` ArchiveUnit, `symbols` ArchiveSymbol in ascending order of name, `headers`
/// ArchiveHeader, then the bytes. All offsets count from the start of the archive.
struct Archive {
  std::uint32_t units;
  std::uint32_t symbols;
  std::uint32_t headers;
  std::uint32_t size;
};

} // namespace hostcl::builtins
