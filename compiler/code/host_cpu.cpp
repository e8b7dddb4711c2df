#include "compiler/compiler.hpp"
#include "compiler/host.hpp"

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
/// bits. Without AVX2, 256 bits are for floating-point numbers only.
unsigned preferred_vector_bits(llvm::StringRef cpu, const llvm::StringMap<bool>& features) {
  auto has = [&](const char* feature) { return features.lookup(feature); };
  bool slow_512 =
      cpu == "skylake-avx512" || cpu == "cascadelake" || cpu == "cooperlake" || cpu == "cannonlake";
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq") && !slow_512) return 512;
  if (has("avx2")) return 256;
  return 128;
}

/// Intel's servers notice that a run of lines is written as a whole; AMD's read each of them first.
bool fetches_overwritten_lines(llvm::StringRef cpu) {
  return cpu.starts_with("znver");
}

/// Cycles of a vector operation on integers, in cycles in which two of them could begin: Zen 5 takes two
/// cycles where others take one, but begins four in each.
unsigned latency_of_integers(llvm::StringRef cpu) {
  return cpu == "znver5" ? 4 : 1;
}

/// AMD's gathers and scatters are several small steps for each lane.
bool accesses_scattered_slowly(llvm::StringRef cpu) {
  return cpu.starts_with("znver");
}

/// The tuning of a CPU by its name and features.
HostCpu tuned_for(const std::string& name, const llvm::StringMap<bool>& features) {
  return {.name = name,
          .features = "",
          .vector_bits = preferred_vector_bits(name, features),
          .fetches_overwritten = fetches_overwritten_lines(name),
          .integer_latency = latency_of_integers(name),
          .slow_scattered_access = accesses_scattered_slowly(name)};
}

/// LLVM's model of a CPU of this name.
std::unique_ptr<llvm::MCSubtargetInfo> model_of(const std::string& cpu) {
  llvm::InitializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple, cpu, "")
                                                       : nullptr);
}

/// The features that the CPU's name does not say: parsing the full list for every function costs more than
/// generating code for a small one.
std::string features_beyond_name(const std::string& cpu, const llvm::StringMap<bool>& features) {
  std::unique_ptr<llvm::MCSubtargetInfo> implied = model_of(cpu);
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
  HostCpu cpu = tuned_for(llvm::sys::getHostCPUName().str(), features);
  cpu.features = features_beyond_name(cpu.name, features);
  return cpu;
}

/// The CPU that kernels are compiled for.
HostCpu& current() {
  static HostCpu cpu = detect();
  return cpu;
}

} // namespace

const HostCpu& host_cpu() {
  return current();
}

std::string set_cpu(const std::string& name, bool must_run) {
  if (name.empty()) return {};
  std::unique_ptr<llvm::MCSubtargetInfo> model = model_of("");
  // "help" and the like make LLVM print to the application's standard error.
  if (!model || name == "help" || !model->isCPUStringValid(name)) return "is not a CPU that LLVM knows";
  model = model_of(name);
  if (host_is_x86 && !model->checkFeatures("+64bit")) return "has no 64-bit mode";
  llvm::StringMap<bool> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    bool needed = model->checkFeatures("+" + feature.getKey().str());
    if (needed && !feature.getValue() && must_run)
      return "has " + feature.getKey().str() + ", which this machine lacks";
    features[feature.getKey()] = needed;
  }
  current() = tuned_for(name, features);
  return {};
}

} // namespace hostcl::compiler
