#include "compiler/jobs/kernel_compiler.hpp"

#include "compiler/jobs/job.hpp"

namespace hostcl::compiler {

using llvm::Expected;

Expected<KernelProperties> KernelCompiler::properties() {
  const auto request_for = [&](const FailedLevels& failed) {
    return PropertiesRequest{kernel(), failed.left};
  };
  auto properties = at_level(
      kernel(), std::nullopt, keeps_width_,
      [&](const FailedLevels& failed) { return find_cached(request_for(failed)); },
      [&](const FailedLevels& failed) {
        const PropertiesRequest request = request_for(failed);
        return made(request, [&] { return worker_.run(request); });
      });
  if (properties) keeps_width_ = properties->sees_vectors != 0;
  return properties;
}

std::optional<KernelObject> KernelCompiler::find_at(const Variant& variant, const FailedLevels& failed) {
  if (auto known = find_cached(request_for(variant, failed))) return known;
  return worker_.find(variant, failed.left);
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant) {
  if (auto known = find_at(variant, {})) return known;
  const FailedLevels failed = level_for(kernel(), variant, keeps_width_);
  const bool is_other = failed.left != FallbackLevel::full && failed.left != FallbackLevel::none;
  return is_other ? find_at(variant, failed) : std::nullopt;
}

Expected<KernelObject> KernelCompiler::make(const Variant& variant) {
  return at_level(
      kernel(), variant, keeps_width_, [&](const FailedLevels& failed) { return find_at(variant, failed); },
      [&](const FailedLevels& failed) {
        const ObjectRequest request = request_for(variant, failed);
        return made(request, [&] { return worker_.run(request); });
      });
}

} // namespace hostcl::compiler
