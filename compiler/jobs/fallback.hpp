#pragma once

// Fallback: if the compiler fails at one level of a kernel's code, by an error, a crash or its time limit, the kernel
// is compiled at the next level. Failures are remembered, in memory for this process and in the disk cache for later
// processes, so that no level is tried twice for the same variant of a kernel.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/jobs/requests.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>

namespace hostcl::compiler {

struct FailedLevels {
  FallbackLevel left = FallbackLevel::full; ///< first level that has not failed
  unsigned width = 0;                       ///< vector width of the level `full`; 0 if not known
  std::string reason;                       ///< why the last level failed
};

/// The known failures of compiling a kernel for a variant; without a variant, of preparing it, which all variants
/// share.
FailedLevels failed_levels(const KernelId& kernel, const std::optional<Variant>& variant);

/// The failures that count for a variant of a kernel: those of the variant, or those of the preparation if more levels
/// of the preparation have failed. `left` is the level to try. Without a variant, the failures of the preparation.
/// @param keeps_width see next()
FailedLevels level_for(const KernelId& kernel, const std::optional<Variant>& variant, bool keeps_width);

/// Remembers and reports the failure of this thread's trial, unless the failure ends all levels (ends_all_levels()).
/// @param error why the trial failed
/// @returns a LevelFailed. If the failure ends all levels, or if tests want no other level (TestSteps::is_strict), an
/// error that ends with_fallback()
llvm::Error level_failed(const KernelId& kernel, bool keeps_width, llvm::Error error);

/// Does a kernel's job at the first level that has not failed.
/// @param find returns the reply if it is known already
/// @param make does the job at the level `left`. If it fails, at_level() returns the error of level_failed()
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

/// An error of at_level() after which with_fallback() makes another attempt, at the next level.
class LevelFailed final : public llvm::ErrorInfo<LevelFailed, llvm::StringError> {
public:
  static char ID;
  explicit LevelFailed(const std::string& reason) : ErrorInfo(reason, llvm::inconvertibleErrorCode()) {}
};

/// Does `work` as isolated work, and repeats it as long as its error is a LevelFailed. Each attempt runs on a new
/// thread, because the previous thread may have crashed, unless the caller is isolated work itself. All attempts share
/// one resource budget.
llvm::Error with_fallback(llvm::function_ref<llvm::Error()> work);

} // namespace hostcl::compiler
