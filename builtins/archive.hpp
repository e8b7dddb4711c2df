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
  std::uint32_t unit; ///< index of the unit that defines the symbol
};

struct ArchiveHeader {
  Text name;
  Text text;
};

/// The beginning of the archive. Three arrays follow: ArchiveUnit, ArchiveSymbol in ascending order of name, and
/// ArchiveHeader. The bytes to which the Text members refer come last. All offsets count from the start of the
/// archive.
struct Archive {
  std::uint32_t units;   ///< number of ArchiveUnit
  std::uint32_t symbols; ///< number of ArchiveSymbol
  std::uint32_t headers; ///< number of ArchiveHeader
  std::uint32_t size;    ///< bytes of the whole archive
};

} // namespace hostcl::builtins
