#include "compiler/compiler.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
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

/// The features that the CPU's name does not say: parsing the full list for every function costs more than
/// generating code for a small one.
std::string features_beyond_name(const std::string& cpu, const llvm::StringMap<bool>& features) {
  llvm::InitializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::MCSubtargetInfo> implied(target ? target->createMCSubtargetInfo(triple, cpu, "")
                                                        : nullptr);
  std::vector<std::string> names;
  for (const auto& feature : features) {
    std::string name = (feature.getValue() ? "+" : "-") + feature.getKey().str();
    if (!implied || !implied->checkFeatures(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return llvm::join(names, ",");
}

HostCpu detect() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  HostCpu cpu;
  cpu.name = llvm::sys::getHostCPUName().str();
  cpu.features = features_beyond_name(cpu.name, features);
  cpu.vector_bits = preferred_vector_bits(cpu.name, features);
  return cpu;
}

} // namespace

const HostCpu& host_cpu() {
  static const HostCpu cpu = detect();
  return cpu;
}

} // namespace hostcl::compiler
