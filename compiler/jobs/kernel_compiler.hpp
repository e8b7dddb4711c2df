#pragma once

// Asks for the jobs of a kernel: its properties, and machine code for its variants. Each job is done at the first
// fallback level that does not fail.

#include "compiler/code/object_store.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/jobs/fallback.hpp"
#include "compiler/jobs/kernel_worker.hpp"
#include "compiler/jobs/requests.hpp"

#include "llvm/Support/Error.h"

#include <atomic>
#include <optional>
#include <utility>

namespace hostcl::compiler {

/// Several threads may call its methods at the same time, within with_fallback().
class KernelCompiler {
public:
  explicit KernelCompiler(KernelId kernel) : worker_(std::move(kernel)) {}
  const KernelId& kernel() const { return worker_.kernel(); }

  llvm::Expected<KernelProperties> properties();

  /// Machine code from the disk cache or from this process; nothing if it would have to be compiled.
  std::optional<KernelObject> find(const Variant& variant);
  /// Finds or compiles machine code. properties() must have succeeded.
  llvm::Expected<KernelObject> make(const Variant& variant);

private:
  ObjectRequest request_for(const Variant& variant, const FailedLevels& failed) const {
    return {kernel(), variant, failed.left, failed.width};
  }
  std::optional<KernelObject> find_at(const Variant& variant, const FailedLevels& failed);

  KernelWorker worker_;
  std::atomic<bool> keeps_width_ = false; ///< KernelProperties::sees_vectors
};

} // namespace hostcl::compiler
