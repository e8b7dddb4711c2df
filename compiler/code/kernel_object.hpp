#pragma once

// One kernel of a program as an object file for the host.

#include "compiler/code/kernel_module.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/pipeline.hpp"
#include "compiler/disk_cache.hpp"

#include <mutex>
#include <optional>

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

  /// Finds the object or compiles it.
  llvm::Expected<KernelObject> make(const Variant& variant);

private:
  CacheKey key_of(const Variant& variant) const;
  CacheKey traits_key() const;
  std::optional<CacheKey> prepared_key_of(const Variant& variant);
  llvm::Expected<KernelModule> prepare(llvm::LLVMContext& context, llvm::TargetMachine& machine);
  llvm::Expected<KernelObject> compile(const Variant& variant);

  ModulePtr program_;
  std::string name_;
  ImageFacts images_;
  std::mutex mutex_;   ///< held while the kernel is prepared; guards the two
  ModulePtr prepared_; ///< the kernel as prepare_kernel() leaves it; null until it is needed
  std::optional<KernelTraits> traits_;
};

} // namespace hostcl::compiler
