#include "compiler/cache/cache_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace hostcl::compiler {

namespace {

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_folder_name(std::string_view name) {
  return name.size() == folder_digits && is_hexadecimal(name);
}

bool is_file_name(std::string_view name) {
  return (name.size() == file_digits && is_hexadecimal(name)) || is_temporary_name(name);
}

} // namespace

bool is_temporary_name(std::string_view name) {
  return name.size() > file_digits && is_hexadecimal(name.substr(0, file_digits)) &&
         name.substr(file_digits).starts_with(temporary_mark);
}

std::vector<CachedFile> list_files(const Descriptor& root) {
  std::vector<CachedFile> files;
  for_each_name(root, [&](const std::string& folder_name) {
    if (!is_folder_name(folder_name)) return;
    const Descriptor folder = open_folder(root, folder_name, /*make=*/false);
    if (!folder) return;
    for_each_name(folder, [&](const std::string& name) {
      struct stat status; // another process may remove it meanwhile
      if (is_file_name(name) && ::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISREG(status.st_mode))
        files.push_back(
            {folder_name, name, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec});
    });
  });
  return files;
}

} // namespace hostcl::compiler
