#include "compiler/front/clang/source_on_disk.hpp"

#include "compiler/cache/cache_folder.hpp"
#include "compiler/front/clang/frontend.hpp"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

/// The number of sources that the folder keeps. Sources of running processes are kept in any case.
constexpr std::size_t most_sources = 100;
constexpr unsigned name_digits = 16;
/// Prefix of the names of files that say which process uses the source.
constexpr std::string_view user_mark = "user-";

/// Identifies a process: its number, and the time when it began, because a later process may have the same
/// number. Empty if there is no such process.
std::string identity_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr unsigned words_to_begin = 19; // number of words between the thread's name and that time
  llvm::StringRef rest = llvm::StringRef(text).rsplit(')').second;
  for (unsigned i = 0; i < words_to_begin; ++i)
    rest = rest.ltrim().split(' ').second;
  const llvm::StringRef began = rest.split(' ').first;
  return began.empty() ? "" : process + "-" + began.str();
}

/// Whether a running process uses the source. Removes the marks of processes that have ended.
bool is_used(const Descriptor& folder) {
  bool result = false;
  std::vector<std::string> ended;
  for_each_name(folder, [&](const std::string& name) {
    if (!name.starts_with(user_mark)) return;
    const std::string user = name.substr(user_mark.size());
    if (!user.empty() && identity_of(user.substr(0, user.find('-'))) == user)
      result = true;
    else
      ended.push_back(name);
  });
  for (const std::string& name : ended)
    ::unlinkat(folder.number(), name.c_str(), 0);
  return result;
}

/// Records that this process uses the source.
void note_use(const Descriptor& folder) {
  is_used(folder); // removes old marks
  const std::string identity = identity_of(std::to_string(::getpid()));
  if (identity.empty()) return;
  const std::string name = std::string(user_mark) + identity;
  const Descriptor mark(::openat(folder.number(), name.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR));
  ::futimens(folder.number(), nullptr); // marks the source as just used
}

/// Removes sources beyond `most_sources`, the least recently used first, except for those that a running
/// process uses.
void remove_old(const Descriptor& parent) {
  std::vector<std::pair<std::int64_t, std::string>> sources;
  for_each_name(parent, [&](const std::string& name) {
    struct stat status;
    if (name.size() == name_digits &&
        ::fstatat(parent.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
      sources.emplace_back(std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
                           name);
  });
  if (sources.size() <= most_sources) return;
  std::ranges::sort(sources);
  sources.resize(sources.size() - most_sources);
  for (const auto& [time, name] : sources) {
    const Descriptor folder = open_folder(parent, name, /*make=*/false);
    if (!folder || is_used(folder)) continue;
    for_each_name(folder, [&](const std::string& file) { ::unlinkat(folder.number(), file.c_str(), 0); });
    ::unlinkat(parent.number(), name.c_str(), AT_REMOVEDIR); // fails if another process has begun to use it
  }
}

} // namespace

std::string source_on_disk(std::string_view source) {
  llvm::SmallString<128> root("/tmp");
  if (::getauxval(AT_SECURE) == 0) llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, root);
  llvm::sys::path::append(root, "hostcl-sources-" + std::to_string(::geteuid()));
  make_folder(root.str().str());
  // Only this user can write to the folder, so an entry with the name of a source is that source.
  const Descriptor parent = open_folder(root.str().str());
  if (!parent) return {};
  const std::string name =
      llvm::utohexstr(llvm::xxh3_64bits(llvm::StringRef(source)), /*LowerCase=*/true, name_digits);
  const Descriptor folder = open_folder(parent, name, /*make=*/true);
  if (!folder) return {};
  note_use(folder);
  const std::string path = (root + "/" + name).str();
  struct stat status;
  const Descriptor known = open_file(folder, source_name, status);
  if (known && status.st_size == static_cast<off_t>(source.size())) return path;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(source));
  const std::string temporary = write_beside(folder, source_name, std::span(&bytes, 1));
  if (temporary.empty() || ::renameat(folder.number(), temporary.c_str(), folder.number(), source_name) != 0)
    return {};
  remove_old(parent);
  return path;
}

} // namespace hostcl::compiler
