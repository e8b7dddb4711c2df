#include "compiler/server/rights.hpp"

#include "compiler/isolation/file_descriptor.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

/// The number of seccomp filters that the process had when it had a single thread.
std::atomic<unsigned long> common_filters = 0;

/// The path of a file that Linux has for the calling thread.
std::string own_file(std::string_view folder, std::string_view name) {
  std::string path("/proc/thread-self/");
  path += folder;
  return path += name;
}

std::optional<std::string> content_of(std::string_view name) {
  const FileDescriptor file(open(own_file("", name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string content;
  std::array<char, 4096> part;
  ssize_t count;
  while ((count = read(file.get(), part.data(), part.size())) > 0)
    content.append(part.data(), static_cast<std::size_t>(count));
  if (count < 0) return std::nullopt;
  return content;
}

/// The line "NAME:\tVALUE\n" of a thread's status without its name; empty if there is none.
std::string_view value_in(std::string_view status, std::string_view name) {
  const std::string begin = (std::string("\n") += name) += ":\t";
  const auto at = status.find(begin);
  if (at == status.npos) return {};
  const auto first = at + begin.size();
  return status.substr(first, status.find('\n', first) + 1 - first);
}

unsigned long filters_in(std::string_view status) {
  return std::strtoul(std::string(value_in(status, "Seccomp_filters")).c_str(), nullptr, 10);
}

/// @returns whether the namespace, or another file that a symbolic link in /proc stands for, could be appended
bool append_link(const std::string& path, std::string& text) {
  std::array<char, 64> target;
  const ssize_t bytes = readlink(path.c_str(), target.data(), target.size());
  if (bytes < 0) return false;
  text.append(target.data(), static_cast<std::size_t>(bytes)).push_back('\n');
  return true;
}

} // namespace

/// Rights::shown contains neither the mounts nor the permission to gain privileges (NoNewPrivs). A server with the same
/// root folder in the same mount namespace sees each mount that the application sees, and a server never gains
/// privileges.
Rights present_rights() {
  struct statx root;
  if (statx(AT_FDCWD, "/", 0, STATX_INO | STATX_MNT_ID, &root) != 0 || (root.stx_mask & STATX_MNT_ID) == 0)
    return {};
  const auto status = content_of("status");
  if (!status) return {};
  std::string shown;
  const std::array<std::uint64_t, 4> folder = {root.stx_mnt_id, root.stx_dev_major, root.stx_dev_minor,
                                               root.stx_ino};
  for (const std::uint64_t number : folder)
    shown += std::to_string(number) += '\n';
  for (const char* name : {"Uid", "Gid", "Groups", "CapPrm", "CapEff", "Seccomp", "Seccomp_filters"}) {
    const std::string_view value = value_in(*status, name);
    if (value.empty()) return {};
    shown += value;
  }
  for (const char* name : {"cgroup", "ipc", "mnt", "net", "pid", "user", "uts"})
    if (!append_link(own_file("ns/", name), shown)) return {};
  shown += content_of("attr/current").value_or(""); // empty without a security module that has labels
  return {std::move(shown), filters_in(*status) == common_filters.load(std::memory_order_relaxed)};
}

void note_common_filters() {
  if (const auto status = content_of("status"); status && value_in(*status, "Threads") == "1\n")
    common_filters = filters_in(*status);
}

bool may_inspect(pid_t process) {
  std::string unused;
  return append_link("/proc/" + std::to_string(process) + "/ns/mnt", unused);
}

/// Linux does not show a namespace that has no process yet.
bool starts_processes_here() {
  std::string own, of_children;
  if (!append_link(own_file("ns/", "pid"), own)) return true; // Linux without such namespaces
  return append_link(own_file("ns/", "pid_for_children"), of_children) && own == of_children;
}

} // namespace hostcl::compiler
