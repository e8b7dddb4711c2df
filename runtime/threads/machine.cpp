#include "runtime/threads/machine.hpp"

#include "compiler/compiler.hpp"
#include "runtime/threads/process_limits.hpp"

#include <cstring>
#include <fstream>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace hostcl::runtime {

namespace {

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
    auto* m = new Machine{cpu_name(), vendor_id(), allowed_processors(), 0, usable_memory(), clock_mhz(), {}};
    m->threads = usable_threads(m->affinity);
    fill_uuid(m->uuid, *m);
    return m;
  }();
  return *instance;
}

} // namespace hostcl::runtime
