#include "compiler/code/failed_levels.hpp"

#include "compiler/isolation/resource_budget.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace hostcl::compiler {

namespace {

/// More entries than a process needs; if there are more, all are dropped.
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
CacheKey key_of(std::string_view kind, std::initializer_list<std::string_view> parts) {
  const std::string time = std::to_string(time_of_level().count());
  std::vector<std::string_view> all(parts);
  all.push_back(time);
  return {kind, all};
}

/// The first bytes of a cache entry; the reason follows.
struct Entry {
  std::uint8_t left, width;
};

std::optional<FailedLevels> unpack(std::span<const std::byte> bytes) {
  Entry entry;
  if (bytes.size() < sizeof entry) return std::nullopt;
  std::memcpy(&entry, bytes.data(), sizeof entry);
  if (entry.left == 0 || entry.left >= static_cast<unsigned>(FallbackLevel::none)) return std::nullopt;
  const auto rest = bytes.subspan(sizeof entry);
  return FailedLevels{static_cast<FallbackLevel>(entry.left), entry.width,
                      std::string(reinterpret_cast<const char*>(rest.data()), rest.size())};
}

std::vector<std::byte> pack(const FailedLevels& failed) {
  const Entry entry{static_cast<std::uint8_t>(failed.left), static_cast<std::uint8_t>(failed.width)};
  std::vector<std::byte> bytes(sizeof entry + failed.reason.size());
  std::memcpy(bytes.data(), &entry, sizeof entry);
  std::memcpy(bytes.data() + sizeof entry, failed.reason.data(), failed.reason.size());
  return bytes;
}

} // namespace

FailedLevels failed_levels(std::string_view kind, std::initializer_list<std::string_view> parts) {
  if (!known().any.load(std::memory_order_acquire) && !cache_is_on()) return {};
  const CacheKey key = key_of(kind, parts);
  {
    std::scoped_lock lock(known().mutex);
    if (auto found = known().failures.find(key); found != known().failures.end()) return found->second;
  }
  if (auto bytes = cache_load(key))
    if (auto failed = unpack(*bytes)) return *failed;
  return {};
}

void remember_failed_levels(std::string_view kind, std::initializer_list<std::string_view> parts,
                            const FailedLevels& failed) {
  const CacheKey key = key_of(kind, parts);
  {
    std::scoped_lock lock(known().mutex);
    if (known().failures.size() >= most_failures) known().failures.clear();
    FailedLevels& now = known().failures[key];
    if (now.left >= failed.left) return;
    now = failed;
    known().any.store(true, std::memory_order_release);
  }
  // If no level is left, the failure is not stored on disk, because other processes may succeed: the last
  // level is so simple that it fails only for reasons such as a lack of memory.
  if (failed.left != FallbackLevel::none && cache_is_on()) cache_store(key, pack(failed));
}

} // namespace hostcl::compiler
