#pragma once

// One kernel of a program as an object file for the host.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/effort.hpp"
#include "compiler/code/failed_forms.hpp"
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

/// Compiles a kernel for one variant after another. Several threads may call it at once.
class KernelCompiler {
public:
  /// @param images about all launches
  KernelCompiler(ModulePtr program, std::string name, ImageFacts images);

  const std::string& name() const { return name_; }

  /// Prepares the kernel, unless the disk cache knows its traits.
  llvm::Expected<KernelTraits> traits();

  /// The object from the disk cache or from this process, without compiling anything.
  std::optional<KernelObject> find(const Variant& variant);

  /// Finds the object or compiles it, in the first form that has not failed; the next ones where it fails as well.
  llvm::Expected<KernelObject> make(const Variant& variant);

  /// Remembers that a form has failed, and reports it.
  /// @returns whether that is news
  bool note_failure(const Trial& trial, std::string_view reason);

  /// Prepares the kernel in one form, here or by a compile server.
  llvm::Expected<KernelTraits> make_traits(Effort effort);

  /// Compiles the kernel in one form, likewise.
  llvm::Expected<KernelObject> compile(const Variant& variant, Effort effort);

private:
  CacheKey key_of(const Variant& variant, Effort effort) const;
  CacheKey traits_key() const;
  std::optional<CacheKey> prepared_key_of(const Variant& variant, Effort effort);
  FailedForms failures(const std::optional<Variant>& variant) const;
  FailedForms failures_of(const Variant& variant);
  template <class Failures, class Make>
  auto in_first_form(const std::optional<Variant>& variant, Failures failures, Make make)
      -> decltype(make(Effort::full));
  std::optional<KernelObject> find(const Variant& variant, Effort effort);
  llvm::Expected<KernelTraits> make_traits_here(Effort effort);
  llvm::Expected<KernelModule> prepare(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                       Effort effort, bool soon);
  llvm::Expected<KernelModule> prepare_once(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                            Effort effort, bool soon);
  void set_traits(const KernelTraits& traits);
  llvm::Expected<KernelObject> compile_here(const Variant& variant, Effort effort);

  ModulePtr program_;
  std::string name_;
  ImageFacts images_;
  std::mutex mutex_;                             ///< held while the kernel is prepared; guards the two
  std::array<ModulePtr, preparations> prepared_; ///< as prepare_kernel() leaves it; null until it is needed
  std::optional<KernelTraits> traits_;
  // For those who must not wait for mutex_.
  std::atomic<bool> keeps_width_ = false; ///< KernelTraits::sees_vectors
  std::atomic<bool> is_huge_ = false;     ///< what is asked for soon has the form without optimisations
};

} // namespace hostcl::compiler
