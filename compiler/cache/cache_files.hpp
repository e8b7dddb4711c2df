#pragma once

// The files of the disk cache: folders of two hexadecimal digits with files of thirty. The folder may have been one for
// other files before, which are left alone.

#include "compiler/cache/cache_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

inline constexpr std::size_t folder_digits = 2, file_digits = 30;

struct CachedFile {
  std::string folder, name;
  std::uint64_t size;
  std::int64_t used_s; ///< when it was last used, in seconds since 1970
};

/// Whether a file is being written, or was when its process ended.
bool is_temporary_name(std::string_view name);

std::vector<CachedFile> list_files(const Descriptor& root);

/// Adds to the number of bytes that all processes have written to the cache: as many KB as the file "hostcl-written"
/// of the folder has bytes. Processes append to it without a lock, which one that is stopped would keep from the others.
/// @returns whether it has come to `most` bytes; it starts again with 0 then
bool count_written(const Descriptor& root, std::uint64_t bytes, std::uint64_t most);

} // namespace hostcl::compiler
