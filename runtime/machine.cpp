#include "runtime/machine.hpp"

#include "compiler/compiler.hpp"
#include "runtime/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include <hwloc.h>
#include <sched.h>
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
    for (unsigned i = 0; i < 3; ++i)
      __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
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
  for_each_control_group("memory", [&](const std::string& group) {
    for (const char* name : {"/memory.max", "/memory.limit_in_bytes"})
      if (auto limit = to_number(read_line(group + name)); limit && *limit > 0)
        bytes = std::min(bytes, *limit);
  });
  if (options().memory) bytes = std::min(bytes, options().memory);
  return bytes;
}

unsigned usable_threads() {
  cpu_set_t set;
  unsigned threads = sched_getaffinity(0, sizeof(set), &set) == 0
                         ? CPU_COUNT(&set)
                         : static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
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
  if (options().threads) threads = options().threads;
  return std::max(1u, threads);
}

void fill_uuid(std::uint8_t (&uuid)[16], const Machine& machine) {
  // FNV-1a, twice with different seeds, over what identifies machine and driver.
  std::string identity = read_line("/etc/machine-id") + machine.cpu_name + HOSTCL_VERSION;
  for (unsigned half = 0; half < 2; ++half) {
    std::uint64_t hash = 0xcbf29ce484222325u + half;
    for (unsigned char c : identity)
      hash = (hash ^ c) * 0x100000001b3u;
    std::memcpy(uuid + 8 * half, &hash, 8);
  }
}

struct Topology {
  hwloc_topology_t topology = nullptr;
  Topology() {
    hwloc_topology_init(&topology);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_load(topology);
  }
  ~Topology() { hwloc_topology_destroy(topology); }
};

} // namespace

const Machine& machine() {
  static const Machine* instance = [] {
    auto* m = new Machine{cpu_name(), vendor_id(), usable_threads(), memory_bytes(), clock_mhz(), {}};
    fill_uuid(m->uuid, *m);
    return m;
  }();
  return *instance;
}

const Caches& caches() {
  static const Caches* instance = [] {
    auto* c = new Caches{64, 0, 0, 0};
    Topology t;
    for (hwloc_obj_type_t type :
         {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
      hwloc_obj_t cache = hwloc_get_obj_by_type(t.topology, type, 0);
      if (!cache) continue;
      if (type == HWLOC_OBJ_L1CACHE) {
        c->first_level = cache->attr->cache.size;
        if (cache->attr->cache.linesize) c->line_bytes = cache->attr->cache.linesize;
      }
      if (type == HWLOC_OBJ_L2CACHE) c->second_level = cache->attr->cache.size;
      c->last_level = std::max<std::uint64_t>(c->last_level, cache->attr->cache.size);
    }
    return c;
  }();
  return *instance;
}

} // namespace hostcl::runtime
