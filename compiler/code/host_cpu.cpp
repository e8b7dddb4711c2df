#include "compiler/compiler.hpp"
#include "compiler/settings/host.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

namespace hostcl::compiler {

namespace {

/// The features that a capability needs, all of them.
constexpr struct {
  bool Capabilities::* capability;
  llvm::StringLiteral features;
} derived[] = {
    {&Capabilities::gathers, "avx2"},
    {&Capabilities::permutes, "avx2"},
    {&Capabilities::byte_masks, "avx512bw avx512vl"},
    {&Capabilities::compresses, "avx512f avx512vl"},
    {&Capabilities::long_conversions, "avx512dq avx512vl"},
};

/// What LLVM's features and cost model do not say of CPUs of these names.
constexpr struct {
  llvm::StringLiteral cpus;
  void (*apply)(Capabilities&);
} exceptions[] = {
    // 512-bit instructions lower the core's clock, which slows the code around them down as well.
    {"skylake-avx512 cascadelake cooperlake cannonlake",
     [](Capabilities& cpu) { cpu.vector_bits = std::min(cpu.vector_bits, 256U); }},
    // Zen 4: c[i] = a[i] + b[i] is 1.5 times as fast with non-temporal stores, a transpose 2.0 to 3.0 times.
    // Intel's servers notice that a run of lines is written as a whole.
    {"znver1 znver2 znver3 znver4 znver5", [](Capabilities& cpu) { cpu.fetches_overwritten = true; }},
    // Zen 4: b[to[i]] = a[i] is 1.8 times as fast without scatters, which are several small steps a lane.
    {"znver1 znver2 znver3 znver4 znver5", [](Capabilities& cpu) { cpu.slow_scattered_access = true; }},
    // Zen 5 takes two cycles where others take one, but begins four operations in each.
    {"znver5", [](Capabilities& cpu) { cpu.integer_latency = 4; }},
};

bool contains_word(llvm::StringRef words, llvm::StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features) {
  auto has = [&](llvm::StringRef names) {
    return llvm::all_of(llvm::split(names, ' '), [&](llvm::StringRef name) { return features.lookup(name); });
  };
  Capabilities result;
  // Without AVX2, 256 bits are for floating-point numbers only.
  result.vector_bits = has("avx512f avx512vl avx512bw avx512dq") ? 512 : has("avx2") ? 256 : 128;
  for (const auto& row : derived)
    result.*row.capability = has(row.features);
  for (const auto& row : exceptions)
    if (contains_word(row.cpus, cpu)) row.apply(result);
  return result;
}

HostCpu cpu_with(const std::string& name, const llvm::StringMap<bool>& features) {
  return {.name = name, .features = "", .capabilities = capabilities_of(name, features)};
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
  HostCpu cpu = cpu_with(llvm::sys::getHostCPUName().str(), features);
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

Outcome<> set_cpu(const std::string& name, bool must_run) {
  if (name.empty()) return {Status::success};
  auto refused = [](std::string why) { return Failed{Status::invalid_options, std::move(why)}; };
  std::unique_ptr<llvm::MCSubtargetInfo> model = model_of("");
  // "help" and the like make LLVM print to the application's standard error.
  if (!model || name == "help" || !model->isCPUStringValid(name))
    return refused("is not a CPU that LLVM knows");
  model = model_of(name);
  if (host_is_x86 && !model->checkFeatures("+64bit")) return refused("has no 64-bit mode");
  llvm::StringMap<bool> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    bool needed = model->checkFeatures("+" + feature.getKey().str());
    if (needed && !feature.getValue() && must_run)
      return refused("has " + feature.getKey().str() + ", which this machine lacks");
    features[feature.getKey()] = needed;
  }
  current() = cpu_with(name, features);
  return {Status::success};
}

void set_cpu(HostCpu cpu) {
  current() = std::move(cpu);
}

} // namespace hostcl::compiler
