#pragma once

// The files of the disk cache: folders whose names have two hexadecimal digits, with files whose names have thirty. The
// user may have other files in the cache's folder, which the driver never touches.

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

/// Whether a file of this name is incomplete: a process is writing the file, or ended while it was writing.
bool is_temporary_name(std::string_view name);

std::vector<CachedFile> list_files(const Descriptor& root);

/// Adds to the count of bytes that all processes have written to the cache. The count is the size of the file
/// "hostcl-written" in the cache's folder, where each byte of the file stands for 1 KiB. Processes append to the file
/// without a lock, because a process that is stopped while it holds a lock would stop all others.
/// @returns whether the count has reached `most` bytes. The count is set to 0 then
bool count_written(const Descriptor& root, std::uint64_t bytes, std::uint64_t most);

} // namespace hostcl::compiler
