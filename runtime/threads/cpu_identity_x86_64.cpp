#include "runtime/threads/cpu_identity.hpp"

#include <string_view>

#include <cpuid.h>

namespace hostcl::runtime {

namespace {

std::string name() {
  unsigned words[13] = {};
  if (__get_cpuid_max(0x80000000, nullptr) < 0x80000004) return {};
  for (unsigned leaf = 0x80000002, *w = words; leaf <= 0x80000004; ++leaf, w += 4)
    __get_cpuid(leaf, &w[0], &w[1], &w[2], &w[3]);
  return reinterpret_cast<const char*>(words);
}

std::uint32_t vendor_id() {
  unsigned a = 0, words[4] = {};
  if (!__get_cpuid(0, &a, &words[0], &words[2], &words[1])) return 0;
  const std::string_view vendor(reinterpret_cast<const char*>(words));
  if (vendor == "GenuineIntel") return 0x8086;
  return vendor == "AuthenticAMD" ? 0x1022 : 0;
}

std::uint64_t most_mhz() {
  unsigned base = 0, max = 0, bus = 0, d = 0;
  return __get_cpuid(0x16, &base, &max, &bus, &d) ? max & 0xffff : 0;
}

std::uint32_t model() {
  unsigned signature = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &signature, &b, &c, &d) ? signature : 0;
}

} // namespace

CpuIdentity cpu_identity() {
  return {name(), vendor_id(), most_mhz(), model()};
}

} // namespace hostcl::runtime
