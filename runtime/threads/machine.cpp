#include "runtime/threads/machine.hpp"

#include "compiler/compiler.hpp"
#include "runtime/threads/cpu_identity.hpp"
#include "runtime/threads/process_limits.hpp"

#include <cstring>
#include <fstream>
#include <string_view>

namespace hostcl::runtime {

namespace {

std::string trimmed(std::string_view text) {
  auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// The value of the first line "key : value" of /proc/cpuinfo with this key; empty if there is none.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    auto colon = line.find(':');
    if (colon != line.npos && trimmed(std::string_view(line).substr(0, colon)) == key)
      return trimmed(std::string_view(line).substr(colon + 1));
  }
  return {};
}

std::string cpu_name(const CpuIdentity& cpu) {
  if (std::string name = trimmed(cpu.name); !name.empty()) return name;
  if (std::string name = cpuinfo("model name"); !name.empty()) return name;
  return compiler::host_cpu().name;
}

std::uint64_t clock_mhz(const CpuIdentity& cpu) {
  if (auto khz = to_number(read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")))
    return *khz / 1000;
  return cpu.most_mhz ? cpu.most_mhz : to_number(cpuinfo("cpu MHz")).value_or(0);
}

void fill_uuid(std::uint8_t (&uuid)[16], const Machine& machine) {
  // FNV-1a with two different seeds, over a text that identifies the machine and the driver's version.
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
    const CpuIdentity cpu = cpu_identity();
    auto* m = new Machine{
        cpu_name(cpu), cpu.vendor_id, allowed_processors(), 0, usable_memory(), clock_mhz(cpu), {}};
    m->threads = usable_threads(m->affinity);
    fill_uuid(m->uuid, *m);
    return m;
  }();
  return *instance;
}

} // namespace hostcl::runtime
