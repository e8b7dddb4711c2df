#pragma once

// Layout of the archive that embed.cpp writes and library.cpp reads: offsets only, so that the driver needs
// no relocations for it. Little-endian like the hosts it is made for; both sides are built together.

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
