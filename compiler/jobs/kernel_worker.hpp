#pragma once

// Does the jobs of a kernel in this process: the application's process, or that of a compile server.

#include "compiler/code/kernel_module.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/jobs/requests.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

namespace hostcl::compiler {

/// Keeps the prepared IR of a kernel, and compiles the kernel for one variant after another. Several threads may call
/// its methods at the same time. Requests must be for the worker's kernel.
class KernelWorker {
public:
  explicit KernelWorker(KernelId kernel) : kernel_(std::move(kernel)) {}
  const KernelId& kernel() const { return kernel_; }

  llvm::Expected<KernelProperties> run(const PropertiesRequest& request);
  llvm::Expected<KernelObject> run(const ObjectRequest& request) { return compile(request, request.level); }

  /// Machine code that this process has made from the same prepared IR; nothing if there is none, or if the kernel has
  /// not been prepared for the level.
  std::optional<KernelObject> find(const Variant& variant, FallbackLevel level);

private:
  llvm::Expected<KernelModule> prepare(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                       FallbackLevel level, bool is_tier0);
  const ModulePtr& prepared_for(FallbackLevel level) const;
  llvm::Error read(KernelModule& kernel, llvm::LLVMContext& context, const ModulePtr& prepared) const;
  std::optional<CacheKey> key_of(const Variant& variant, FallbackLevel level);
  llvm::Expected<KernelObject> compile(const ObjectRequest& request, FallbackLevel level);

  const KernelId kernel_;
  std::mutex mutex_; ///< held while the kernel is prepared; guards the two members below
  /// Prepared IR, see prepare_kernel(); null until it is needed.
  std::array<ModulePtr, preparations> prepared_;
  /// The properties at the first level for which they were asked. They are not found again for other levels, so that
  /// the vector width stays the same.
  std::optional<KernelProperties> properties_;
  /// Whether tier0 variants are compiled without optimisations, because the kernel is huge.
  std::atomic<bool> is_huge_ = false;
};

} // namespace hostcl::compiler
