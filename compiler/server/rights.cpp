#include "compiler/server/rights.hpp"

#include "compiler/isolation/own_threads.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

std::string own_path(const char* name) {
  return std::string("/proc/thread-self/") + name;
}

std::optional<std::string> content_of(const char* name) {
  const int file = open(own_path(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string content;
  std::array<char, 4096> piece;
  ssize_t count;
  while ((count = read(file, piece.data(), piece.size())) > 0)
    content.append(piece.data(), static_cast<std::size_t>(count));
  close(file);
  if (count < 0) return std::nullopt;
  return content;
}

/// The line "NAME:\tVALUE\n" of a thread's status without its name; empty if there is none.
std::string_view value_in(std::string_view status, const char* name) {
  const std::string begin = std::string("\n") + name + ":\t";
  const auto at = status.find(begin);
  if (at == status.npos) return {};
  const auto first = at + begin.size();
  return status.substr(first, status.find('\n', first) + 1 - first);
}

/// Uses up what layers of Landlock the calling thread may still add, which its end gives back. Stores their number; -1 if
/// that cannot be told.
void* count_landlock_layers(void* number) {
  auto& layers = *static_cast<int*>(number);
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE;
  const auto ruleset =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0));
  if (ruleset < 0) {
    layers = errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1; // there is no Landlock
    return nullptr;
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); // of this thread alone
  layers = 0;
  while (syscall(SYS_landlock_restrict_self, ruleset, 0) == 0)
    ++layers;
  if (errno != E2BIG) layers = -1;
  close(ruleset);
  return nullptr;
}

/// Linux does not show Landlock's domains, but bounds the number of a thread's layers, and a thread adds layers but never
/// leaves one. A thread that has neither the capability nor given up new privileges has none. One with a filter of system
/// calls is not tried: the filter may end the process.
std::optional<int> landlock_layers_left(std::string_view status) {
  const auto capabilities = std::strtoull(std::string(value_in(status, "CapPrm")).c_str(), nullptr, 16);
  if (value_in(status, "NoNewPrivs") == "0\n" && (capabilities >> CAP_SYS_ADMIN & 1) == 0) return 0;
  if (value_in(status, "Seccomp") != "0\n") return std::nullopt;
  int layers = -1;
  pthread_t thread;
  if (hcl_new_thread(&thread, nullptr, count_landlock_layers, &layers) != 0) return std::nullopt;
  pthread_join(thread, nullptr);
  if (layers < 0) return std::nullopt;
  return layers;
}

} // namespace

std::string present_rights() {
  const auto status = content_of("status"), mounts = content_of("mountinfo");
  struct stat root;
  if (!status || !mounts || stat("/", &root) != 0) return {};
  std::string all = std::to_string(root.st_dev) + " " + std::to_string(root.st_ino) + "\n" + *mounts;
  for (const char* name : {"Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb",
                           "NoNewPrivs", "Seccomp", "Seccomp_filters"}) {
    const std::string_view value = value_in(*status, name);
    if (value.empty()) return {};
    all += value;
  }
  for (const char* name : {"cgroup", "ipc", "mnt", "net", "pid", "user", "uts"}) {
    std::array<char, 64> number;
    const ssize_t bytes = readlink((own_path("ns/") + name).c_str(), number.data(), number.size());
    if (bytes < 0) return {};
    all.append(number.data(), static_cast<std::size_t>(bytes)).push_back('\n');
  }
  all += content_of("attr/current").value_or(""); // none without a security module that has labels
  const auto layers = landlock_layers_left(*status);
  return layers ? all + std::to_string(*layers) : "";
}

} // namespace hostcl::compiler
