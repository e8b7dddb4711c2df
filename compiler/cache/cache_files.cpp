#include "compiler/cache/cache_files.hpp"

#include "compiler/isolation/write_signals.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

} // namespace

bool is_temporary_name(std::string_view name) {
  return is_hexadecimal(name.substr(0, file_digits), file_digits) &&
         name.substr(file_digits).starts_with(temporary_mark);
}

std::vector<CachedFile> list_files(const Descriptor& root) {
  std::vector<CachedFile> files;
  for_each_name(root, [&](const std::string& folder_name) {
    if (!is_hexadecimal(folder_name, folder_digits)) return;
    const Descriptor folder = open_folder(root, folder_name, /*make=*/false);
    if (!folder) return;
    for_each_name(folder, [&](const std::string& name) {
      struct stat status; // another process may remove the file at any time
      if ((is_hexadecimal(name, file_digits) || is_temporary_name(name)) &&
          ::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISREG(status.st_mode))
        files.push_back(
            {folder_name, name, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec});
    });
  });
  return files;
}

bool count_written(const Descriptor& root, std::uint64_t bytes, std::uint64_t most) {
  constexpr const char* name = "hostcl-written";
  constexpr std::uint64_t unit = 1024;
  const Descriptor file(::openat(
      root.number(), name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      S_IRUSR | S_IWUSR));
  struct stat status;
  if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    if (::unlinkat(root.number(), name, 0) != 0) ::unlinkat(root.number(), name, AT_REMOVEDIR);
    return true; // it is not known how much has been written
  }
  const WriteSignalsBlocked no_signals;
  const std::vector<char> more((bytes + unit - 1) / unit);
  const bool is_due = !file.write(more.data(), more.size()) || ::fstat(file.number(), &status) != 0 ||
                      static_cast<std::uint64_t>(status.st_size) >= most / unit;
  if (is_due && ::ftruncate(file.number(), 0) != 0) ::unlinkat(root.number(), name, 0);
  return is_due;
}

} // namespace hostcl::compiler
