#include "compiler/compiler.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

namespace hostcl::compiler {

namespace {

/// Newer cores run 512-bit code without lowering their clock; older AVX-512 ones are better off with 256
/// bits.
unsigned preferred_vector_bits(llvm::StringRef cpu, const llvm::StringMap<bool>& features) {
  auto has = [&](const char* feature) { return features.lookup(feature); };
  bool slow_512 =
      cpu == "skylake-avx512" || cpu == "cascadelake" || cpu == "cooperlake" || cpu == "cannonlake";
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq") && !slow_512) return 512;
  if (has("avx")) return 256;
  return 128;
}

HostCpu detect() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto& feature : features)
    names.push_back((feature.getValue() ? "+" : "-") + feature.getKey().str());
  std::sort(names.begin(), names.end());
  HostCpu cpu;
  cpu.name = llvm::sys::getHostCPUName().str();
  for (const std::string& name : names)
    cpu.features += (cpu.features.empty() ? "" : ",") + name;
  cpu.vector_bits = preferred_vector_bits(cpu.name, features);
  return cpu;
}

} // namespace

const HostCpu& host_cpu() {
  static const HostCpu cpu = detect();
  return cpu;
}

} // namespace hostcl::compiler
