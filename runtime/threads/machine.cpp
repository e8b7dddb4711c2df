#include "runtime/threads/machine.hpp"

#include "compiler/compiler.hpp"
#include "runtime/support/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace hostcl::runtime {

namespace {

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

std::string trimmed(std::string_view text) {
  auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Value of the first line "key : value" of /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    auto colon = line.find(':');
    if (colon != line.npos && trimmed(std::string_view(line).substr(0, colon)) == key)
      return trimmed(std::string_view(line).substr(colon + 1));
  }
  return {};
}

std::string cpu_name() {
#if defined(__x86_64__)
  unsigned words[13] = {};
  if (__get_cpuid_max(0x80000000, nullptr) >= 0x80000004) {
    for (unsigned leaf = 0x80000002, *w = words; leaf <= 0x80000004; ++leaf, w += 4)
      __get_cpuid(leaf, &w[0], &w[1], &w[2], &w[3]);
    if (std::string name = trimmed(reinterpret_cast<const char*>(words)); !name.empty()) return name;
  }
#endif
  if (std::string name = cpuinfo("model name"); !name.empty()) return name;
  return compiler::host_cpu().name;
}

std::uint32_t vendor_id() {
#if defined(__x86_64__)
  unsigned a = 0, words[4] = {};
  if (__get_cpuid(0, &a, &words[0], &words[2], &words[1])) {
    std::string_view vendor(reinterpret_cast<const char*>(words));
    if (vendor == "GenuineIntel") return 0x8086;
    if (vendor == "AuthenticAMD") return 0x1022;
  }
#endif
  return 0;
}

std::uint64_t clock_mhz() {
  if (auto khz = to_number(read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")))
    return *khz / 1000;
#if defined(__x86_64__)
  unsigned base = 0, max = 0, bus = 0, d = 0;
  if (__get_cpuid(0x16, &base, &max, &bus, &d) && (max & 0xffff)) return max & 0xffff;
#endif
  return to_number(cpuinfo("cpu MHz")).value_or(0);
}

/// The process's folders in the control group hierarchy, innermost first, as "/sys/fs/cgroup/a/b". The
/// version 1 hierarchy has one per controller.
template <class Visit>
void for_each_control_group(std::string_view controller, Visit visit) {
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

std::uint64_t memory_bytes() {
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

/// The numbers of the processors in the affinity mask; empty if the system does not tell.
std::vector<unsigned> affinity() {
  std::vector<unsigned> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  return processors;
}

unsigned usable_threads(const std::vector<unsigned>& affinity) {
  auto threads = static_cast<unsigned>(affinity.size());
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

void fill_uuid(std::uint8_t (&uuid)[16], const Machine& machine) {
  // FNV-1a, twice with different seeds, over a text that identifies machine and driver.
  std::string identity = read_line("/etc/machine-id") + machine.cpu_name + HOSTCL_VERSION;
  for (std::size_t half = 0; half < 2; ++half) {
    std::uint64_t hash = 0xcbf29ce484222325u + half;
    for (unsigned char c : identity)
      hash = (hash ^ c) * 0x100000001b3u;
    std::memcpy(uuid + 8 * half, &hash, 8);
  }
}

} // namespace

const Machine& machine() {
  static const Machine* instance = [] {
    auto* m = new Machine{cpu_name(), vendor_id(), affinity(), 0, memory_bytes(), clock_mhz(), {}};
    m->threads = usable_threads(m->affinity);
    fill_uuid(m->uuid, *m);
    return m;
  }();
  return *instance;
}

} // namespace hostcl::runtime
