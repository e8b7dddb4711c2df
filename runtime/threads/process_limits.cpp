#include "runtime/threads/process_limits.hpp"

#include "runtime/support/options.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::runtime {

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::uint64_t> to_number(std::string_view digits) {
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end == digits.data()) return {};
  return number;
}

void for_each_control_group(std::string_view controller,
                            const std::function<void(const std::string&)>& visit) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers.find(controller) == controllers.npos) continue;
    std::string root = "/sys/fs/cgroup" + (controllers.empty() ? "" : "/" + std::string(controller));
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      visit(root + (path == "/" ? "" : path));
      if (path.empty() || path == "/" || path.rfind('/') == path.npos) break;
    }
  }
}

std::vector<unsigned> allowed_processors() {
  std::vector<unsigned> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  return processors;
}

unsigned usable_threads(const std::vector<unsigned>& processors) {
  auto threads = static_cast<unsigned>(processors.size());
  if (!threads) threads = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  auto limit = [&](std::uint64_t quota, std::uint64_t period) {
    if (quota && period)
      threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, (quota + period - 1) / period));
  };
  for_each_control_group("cpu", [&](const std::string& group) {
    std::string line = read_line(group + "/cpu.max");
    if (auto space = line.find(' '); space != line.npos)
      limit(to_number(line).value_or(0), to_number(std::string_view(line).substr(space + 1)).value_or(0));
    limit(to_number(read_line(group + "/cpu.cfs_quota_us")).value_or(0),
          to_number(read_line(group + "/cpu.cfs_period_us")).value_or(0));
  });
  if (options().threads.number) threads = options().threads.number;
  return std::max(1u, threads);
}

std::uint64_t usable_memory() {
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur / 4 * 3); // the rest for driver and application
  }
  for_each_control_group("memory", [&](const std::string& group) {
    for (const char* name : {"/memory.max", "/memory.limit_in_bytes"})
      if (auto limit = to_number(read_line(group + name)); limit && *limit > 0)
        bytes = std::min(bytes, *limit);
  });
  if (options().memory.bytes) bytes = std::min(bytes, options().memory.bytes);
  return bytes;
}

} // namespace hostcl::runtime
