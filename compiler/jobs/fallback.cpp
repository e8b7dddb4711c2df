#include "compiler/jobs/fallback.hpp"

#include "compiler/cache/disk_cache.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/jobs/packing.hpp"

#include "llvm/Support/SaveAndRestore.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace hostcl::compiler {

namespace {

/// The most failures that are kept in memory, more than a process needs. If there are more, all are dropped.
constexpr std::size_t most_failures = 10'000;

struct Known {
  std::mutex mutex; ///< guards `failures`; no function is called with it held
  std::map<CacheKey, FailedLevels> failures;
  std::atomic<bool> any = false;
};

/// Never destroyed, because kernels may be compiled while static objects are destroyed.
Known& known() {
  static Known& known = *new Known;
  return known;
}

/// The key contains the time limit of a level, since the level may succeed with more time.
CacheKey key_of(const KernelId& kernel, const std::optional<Variant>& variant) {
  return {"failures", packed(kernel, variant, time_of_level().count())};
}

/// Remembers failures. @returns false if this process knows the same or more failures already
bool remember(const CacheKey& key, const FailedLevels& failed) {
  {
    std::scoped_lock lock(known().mutex);
    if (known().failures.size() >= most_failures) known().failures.clear();
    FailedLevels& now = known().failures[key];
    if (now.left >= failed.left) return false;
    now = failed;
    known().any.store(true, std::memory_order_release);
  }
  // If no level is left, the failure is not stored on disk, because other processes may succeed: the last
  // level is so simple that it fails only for reasons such as a lack of memory.
  if (failed.left != FallbackLevel::none) cache_store(key, packed(failed));
  return true;
}

std::atomic<void (*)(std::string_view)> reporter = nullptr;

void report(const KernelId& kernel, const Trial& trial, const FailedLevels& failed) {
  auto* function = reporter.load();
  if (!function) return;
  std::string message = "kernel '" + kernel.name + "': " + name_of(trial.level) + " failed in step '" +
                        trial.step + "': " + failed.reason;
  if (failed.left != FallbackLevel::none)
    message.append("; the next attempt is ").append(name_of(failed.left));
  function(message);
}

} // namespace

void report_failed_levels(void (*function)(std::string_view message)) {
  reporter = function;
}

FailedLevels failed_levels(const KernelId& kernel, const std::optional<Variant>& variant) {
  if (!known().any.load(std::memory_order_acquire) && !cache_is_on()) return {};
  const CacheKey key = key_of(kernel, variant);
  {
    std::scoped_lock lock(known().mutex);
    if (auto found = known().failures.find(key); found != known().failures.end()) return found->second;
  }
  FailedLevels failed;
  const auto bytes = cache_load(key);
  return bytes && unpack(*bytes, failed) && failed.left < FallbackLevel::none ? failed : FailedLevels();
}

FailedLevels level_for(const KernelId& kernel, const std::optional<Variant>& variant, bool keeps_width) {
  FailedLevels failed = failed_levels(kernel, std::nullopt);
  if (!variant) return failed;
  FailedLevels of_variant = failed_levels(kernel, variant);
  if (of_variant.left >= failed.left)
    failed = std::move(of_variant);
  else
    failed.width = of_variant.width;
  if (failed.left == FallbackLevel::scalar && keeps_width) failed.left = FallbackLevel::bare;
  return failed;
}

llvm::Error level_failed(const KernelId& kernel, bool keeps_width, llvm::Error error) {
  if (error.isA<LevelFailed>() || ends_all_levels(reason_of(error))) return error;
  const Trial trial = Trying::here().value_or(Trial());
  FailedLevels failed{trial.variant ? next(trial.level, keeps_width) : next_preparation(trial.level),
                      trial.level == FallbackLevel::full ? trial.width : 0, llvm::toString(std::move(error))};
  if (trial.level != FallbackLevel::full) failed.width = failed_levels(kernel, trial.variant).width;
  const bool is_known = failed_levels(kernel, trial.variant).left >= failed.left; // by another process, too
  if (!is_known && remember(key_of(kernel, trial.variant), failed)) report(kernel, trial, failed);
  if (test_steps().is_strict) return llvm::createStringError(failed.reason);
  return llvm::make_error<LevelFailed>(failed.reason);
}

char LevelFailed::ID = 0;

llvm::Error with_fallback(llvm::function_ref<llvm::Error()> work) {
  const llvm::SaveAndRestore unbounded(Trying::are_unbounded, Trying::are_unbounded || is_isolated());
  for (std::chrono::nanoseconds spent{0};;) {
    llvm::Error error = isolate(work, &spent);
    // The limit of a level may also be exceeded while its failure is remembered. That the next attempt begins at the
    // same level does no harm, for all attempts share one limit.
    if (!error.isA<LevelFailed>() && reason_of(error) != over_own_time) return error;
    llvm::consumeError(std::move(error));
  }
}

} // namespace hostcl::compiler
