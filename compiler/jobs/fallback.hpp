#pragma once

// Fallback: if a kernel fails to compile at one level, by an error, a crash or its time limit, it is compiled at the next
// level. Failures are remembered, in memory for this process, and in the disk cache for later processes, so that no level
// is tried twice for a kernel.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/jobs/requests.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace hostcl::compiler {

struct FailedLevels {
  FallbackLevel left = FallbackLevel::full; ///< first level that has not failed
  unsigned width = 0;                       ///< vector width of the level `full`; 0 if not known
  std::string reason;                       ///< why the last level failed

  auto fields() { return std::tie(left, width, reason); }
};

/// The known failures of compiling a kernel for a variant; without a variant, of preparing it, which all variants share.
FailedLevels failed_levels(const KernelId& kernel, const std::optional<Variant>& variant);

/// The first level for a variant of a kernel, or for its preparation, that has not failed.
/// @param keeps_width see next()
FailedLevels level_for(const KernelId& kernel, const std::optional<Variant>& variant, bool keeps_width);

/// Remembers the failure of this thread's trial, and reports it. @returns the error of the trial: LevelFailed, or if tests
/// want it (fails_at_first_level()), an error that ends with_fallback()
llvm::Error level_failed(const KernelId& kernel, bool keeps_width, llvm::Error error);

/// Does a kernel's job at the first level that has not failed.
/// @param find returns the reply if it is known already
/// @param make does the job. If it fails and there is a next level, at_level() returns a LevelFailed
template <class Find, class Make>
auto at_level(const KernelId& kernel, const std::optional<Variant>& variant, bool keeps_width, Find find,
              Make make) -> decltype(make(FailedLevels())) {
  if (auto known = find(FailedLevels())) return std::move(*known); // few kernels fail, so this comes first
  const FailedLevels failed = level_for(kernel, variant, keeps_width);
  if (failed.left == FallbackLevel::none) return llvm::createStringError(failed.reason);
  if (failed.left != FallbackLevel::full)
    if (auto known = find(failed)) return std::move(*known);
  const Trying trying(variant, failed.left, failed.width);
  auto result = make(failed);
  if (result) return result;
  return level_failed(kernel, keeps_width, result.takeError());
}

/// The error of at_level() if another attempt begins at the next level.
class LevelFailed final : public llvm::ErrorInfo<LevelFailed> {
public:
  static char ID;
  explicit LevelFailed(std::string reason) : reason_(std::move(reason)) {}
  void log(llvm::raw_ostream& stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string reason_;
};

/// Does isolated work, again as long as its error is a LevelFailed. Each attempt has a thread of its own, because the last
/// one's may have crashed; all have one resource budget.
llvm::Error with_fallback(llvm::function_ref<llvm::Error()> work);

} // namespace hostcl::compiler
