#pragma once

// The files of the disk cache: folders whose names have two hexadecimal digits, with files whose names have
// thirty. The user may have had other files in the cache's folder before; they are never touched.

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
  std::int64_t used_s; ///< time of the last use, in seconds since 1970
};

/// Whether a file with this name is being written, or was when its process ended.
bool is_temporary_name(std::string_view name);

std::vector<CachedFile> list_files(const Descriptor& root);

/// Counts the bytes that all processes have written to the cache. The count in KB is the size of the file
/// "hostcl-written" in the folder: processes append to it. A lock would not do, because a process that is
/// stopped with the lock would block all others.
/// @returns whether the count has reached `most` bytes; then it starts again at 0
bool count_written(const Descriptor& root, std::uint64_t bytes, std::uint64_t most);

} // namespace hostcl::compiler
