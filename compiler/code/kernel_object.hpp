#pragma once

// Compiles a kernel of a program to an object file for the host.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/failed_levels.hpp"
#include "compiler/code/fallback_level.hpp"
#include "compiler/code/kernel_module.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/code/pipeline/progress.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>

namespace hostcl::compiler {

/// Compiles a kernel for one variant after another. Several threads may call its methods at the same time.
class KernelCompiler {
public:
  /// @param images image properties of all launches
  KernelCompiler(ModulePtr program, std::string name, ImageProperties images);

  const std::string& name() const { return name_; }

  /// The kernel properties: from the disk cache, or by preparing the kernel.
  llvm::Expected<KernelProperties> properties();

  /// The object from the disk cache or from this process; nothing if it would have to be compiled.
  std::optional<KernelObject> find(const Variant& variant);

  /// Finds or compiles the object, at the first fallback level that has not failed, or at the next ones if
  /// that fails, too.
  llvm::Expected<KernelObject> make(const Variant& variant);

  /// Remembers that a fallback level has failed, and reports it.
  /// @returns false if this was known
  bool note_failure(const Trial& trial, std::string_view reason);

  /// Prepares the kernel at one fallback level, by a compile server or in this process.
  llvm::Expected<KernelProperties> make_properties(FallbackLevel level);

  /// Compiles the kernel at one fallback level, by a compile server or in this process.
  llvm::Expected<KernelObject> compile(const Variant& variant, FallbackLevel level);

private:
  CacheKey key_of(const Variant& variant, FallbackLevel level) const;
  CacheKey properties_key() const;
  std::optional<CacheKey> prepared_key_of(const Variant& variant, FallbackLevel level);
  FailedLevels failures(const std::optional<Variant>& variant) const;
  FailedLevels failures_of(const Variant& variant);
  template <class Failures, class Make>
  auto at_first_level(const std::optional<Variant>& variant, Failures failures, Make make)
      -> decltype(make(FallbackLevel::full));
  std::optional<KernelObject> find(const Variant& variant, FallbackLevel level);
  llvm::Expected<KernelProperties> make_properties_here(FallbackLevel level);
  llvm::Expected<KernelModule> prepare(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                       FallbackLevel level, bool is_tier0);
  llvm::Expected<KernelModule> prepare_once(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                            FallbackLevel level, bool is_tier0);
  void set_properties(const KernelProperties& properties);
  llvm::Expected<KernelObject> compile_here(const Variant& variant, FallbackLevel level);

  ModulePtr program_;
  std::string name_;
  ImageProperties images_;
  std::mutex mutex_; ///< held while the kernel is prepared; guards the two members below
  /// Prepared IR, see prepare_kernel(); null until it is needed.
  std::array<ModulePtr, preparations> prepared_;
  std::optional<KernelProperties> properties_;
  // Copies for threads that must not wait for mutex_.
  std::atomic<bool> keeps_width_ = false; ///< KernelProperties::sees_vectors
  /// Whether tier0 variants are compiled without optimisations, because the kernel is huge.
  std::atomic<bool> is_huge_ = false;
};

} // namespace hostcl::compiler
