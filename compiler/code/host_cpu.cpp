// Declared in compiler/code/cpu_capabilities.hpp.

#include "compiler/code/cpu_capabilities.hpp"
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

/// LLVM's description of a CPU model.
std::unique_ptr<llvm::MCSubtargetInfo> model_of(const std::string& cpu) {
  llvm::InitializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple, cpu, "")
                                                       : nullptr);
}

/// The features that are not implied by the CPU's name. Parsing the full list of features for each function
/// would cost more than generating code for a small function.
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
  const llvm::StringMap<bool> features = host_features();
  const std::string name = llvm::sys::getHostCPUName().str();
  return {.name = name,
          .features = features_beyond_name(name, features),
          .capabilities = capabilities_of(name, features, /*is_host=*/true)};
}

} // namespace

const HostCpu& host_cpu() {
  static const HostCpu cpu = detect();
  return cpu;
}

SettingsPtr default_settings() {
  Settings settings;
  settings.cpu = host_cpu();
  return std::make_shared<const Settings>(std::move(settings));
}

Outcome<HostCpu> cpu_named(const std::string& name, bool must_run) {
  if (name.empty()) return {Status::success, {}, host_cpu()};
  auto refused = [](std::string why) { return Failed{Status::invalid_options, std::move(why)}; };
  std::unique_ptr<llvm::MCSubtargetInfo> model = model_of("");
  // With names such as "help", LLVM would print to the application's standard error.
  if (!model || name == "help" || !model->isCPUStringValid(name))
    return refused("is not a CPU that LLVM knows");
  model = model_of(name);
  if (const char* why = why_not_compiled_for(*model)) return refused(why);
  llvm::StringMap<bool> features;
  for (const auto& feature : host_features()) {
    bool needed = model->checkFeatures("+" + feature.getKey().str());
    if (needed && !feature.getValue() && must_run && !is_system_feature(feature.getKey()))
      return refused("has " + feature.getKey().str() + ", which this machine lacks");
    features[feature.getKey()] = needed;
  }
  return {Status::success,
          {},
          HostCpu{.name = name, .features = "", .capabilities = capabilities_of(name, features, must_run)}};
}

} // namespace hostcl::compiler
