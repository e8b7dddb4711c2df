#pragma once

// All machine code of a kernel: its tier 0 code, which is compiled first and relies on few properties of a
// launch, and its tier 1 code. Each job is done at the first fallback level that does not fail.

#include "compiler/code/jit.hpp"
#include "compiler/jobs/fallback.hpp"
#include "compiler/jobs/kernel_worker.hpp"
#include "compiler/noted_code.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// The versions of one kernel. Several threads may call its methods at the same time. A thread that needs
/// code which another thread is compiling waits for that thread.
class KernelVersions final : public CompiledKernel {
public:
  using Result = Outcome<KernelChoice>;

  /// @param uniform_groups whether launches are refused whose local size does not divide the global size
  /// @param library receives the code; must outlive this object
  KernelVersions(KernelId kernel, bool uniform_groups, CodeLibrary& library)
      : worker_(std::move(kernel)), uniform_groups_(uniform_groups), library_(library) {}

  KernelChoice find(const abi::NDRange& launch) override;
  Result code(const abi::NDRange& launch) override;
  Result tier1_code(const abi::NDRange& launch) override;
  CompiledKernel& with_images(const ImageProperties& images) override;
  void compile_ahead() override;
  unsigned versions() const override { return count_.load(std::memory_order_acquire); }
  bool prefers_columns() const override { return prefers_columns_.load(std::memory_order_relaxed); }
  bool gains_if_disjoint() const override { return gains_if_disjoint_.load(std::memory_order_relaxed); }

private:
  struct Version {
    std::mutex mutex; ///< held while the code is made; the members below never change once `entry` is set
    NotedCode code;
  };

  const KernelId& kernel() const { return worker_.kernel(); }
  const Settings& settings() const { return *kernel().settings; }
  KernelChoice find_locked(const abi::NDRange& launch) const;
  std::shared_ptr<Version> version(const Variant& variant);
  Result attempt(const abi::NDRange& launch, llvm::function_ref<llvm::Error()> work);
  llvm::Expected<KernelProperties> properties();
  std::optional<KernelObject> known_object(const Variant& variant, const FailedLevels& failed);
  std::optional<KernelObject> known_object(const Variant& variant);
  llvm::Expected<KernelObject> object(const Variant& variant);
  llvm::Error make(const Variant& variant, bool only_if_known = false);
  llvm::Error make_tier0(const abi::NDRange& launch);
  void publish(const Variant& variant, std::shared_ptr<const Version> version);
  llvm::Error link(KernelObject object, const Variant& variant, NotedCode& code);

  KernelWorker worker_;
  bool uniform_groups_;
  CodeLibrary& library_;
  std::atomic<unsigned> count_{0};
  std::atomic<bool> prefers_columns_{false}, gains_if_disjoint_{true};
  std::atomic<bool> keeps_width_{false}; ///< KernelProperties::sees_vectors

  mutable std::mutex mutex_; ///< guards the members below, but not the members of versions
  std::optional<KernelProperties> properties_;
  std::map<Variant, std::shared_ptr<Version>> making_;     ///< by canonical variant
  std::map<Variant, std::shared_ptr<const Version>> made_; ///< versions that are complete
  std::map<ImageProperties, std::unique_ptr<KernelVersions>> with_images_;
};

} // namespace hostcl::compiler
