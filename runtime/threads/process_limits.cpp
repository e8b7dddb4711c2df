#include "runtime/threads/process_limits.hpp"

#include "runtime/support/options.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
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

namespace {

/// Whether the controller is an element of the list, which is separated by commas. "cpuset" does not contain
/// "cpu".
bool has_controller(std::string_view list, std::string_view controller) {
  for (std::size_t end; !list.empty(); list.remove_prefix(std::min(end + 1, list.size()))) {
    end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == controller) return true;
  }
  return false;
}

/// Physical memory in bytes; if the system does not report it, the size of the address space.
std::uint64_t physical_memory(const std::string& root) {
  struct sysinfo information{};
  if (root.empty() && sysinfo(&information) == 0)
    return std::uint64_t{information.totalram} * information.mem_unit;
  // A filter of system calls (seccomp) may refuse sysinfo(), so the file is read instead.
  std::ifstream file(root + "/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (constexpr std::string_view name = "MemTotal:"; line.starts_with(name))
      if (const auto digit = line.find_first_not_of(' ', name.size()); digit != line.npos)
        if (const auto kilobytes = to_number(std::string_view(line).substr(digit))) return *kilobytes << 10;
  return std::uint64_t{1} << 47;
}

} // namespace

void for_each_control_group(std::string_view controller, const std::function<void(const std::string&)>& visit,
                            const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !has_controller(controllers, controller)) continue;
    const std::string hierarchy =
        root + "/sys/fs/cgroup" + (controllers.empty() ? "" : "/" + std::string(controller));
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      visit(hierarchy + (path == "/" ? "" : path));
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

unsigned usable_threads(const std::vector<unsigned>& processors, const std::string& root) {
  auto threads = static_cast<unsigned>(processors.size());
  if (!threads) threads = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  auto limit = [&](std::uint64_t quota, std::uint64_t period) {
    if (quota && period)
      threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, (quota + period - 1) / period));
  };
  const auto visit = [&](const std::string& group) {
    std::string line = read_line(group + "/cpu.max");
    if (auto space = line.find(' '); space != line.npos)
      limit(to_number(line).value_or(0), to_number(std::string_view(line).substr(space + 1)).value_or(0));
    limit(to_number(read_line(group + "/cpu.cfs_quota_us")).value_or(0),
          to_number(read_line(group + "/cpu.cfs_period_us")).value_or(0));
  };
  for_each_control_group("cpu", visit, root);
  if (options().threads.number) threads = options().threads.number;
  return std::max(1u, threads);
}

std::uint64_t usable_memory(const std::string& root) {
  std::uint64_t bytes = physical_memory(root);
  for (auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      // A quarter is left for the driver and the application.
      bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur / 4 * 3);
  }
  const auto visit = [&](const std::string& group) {
    for (const char* name : {"/memory.max", "/memory.limit_in_bytes"})
      if (auto limit = to_number(read_line(group + name)); limit && *limit > 0)
        bytes = std::min(bytes, *limit);
  };
  for_each_control_group("memory", visit, root);
  if (options().memory.bytes) bytes = std::min(bytes, options().memory.bytes);
  return bytes;
}

} // namespace hostcl::runtime
