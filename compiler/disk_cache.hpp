#pragma once

// A cache of compiled results on disk, addressed by the content they were made from. Safe with any number of
// processes: files are written under a temporary name, renamed into place, and checked when read; whatever is
// missing or damaged is a miss. No error of the file system is ever an error of the build.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

bool cache_is_on();

/// Names a result by all that it depends on. The driver's build, the host CPU and the heuristics
/// that are off are always part of it.
class CacheKey {
public:
  CacheKey(std::string_view kind, std::initializer_list<std::string_view> parts);
  std::string file_name() const; ///< 32 hexadecimal digits
  auto operator<=>(const CacheKey&) const = default;

private:
  std::uint64_t low_, high_;
};

/// The bytes stored for `key`, if they are there and whole.
std::optional<std::vector<std::byte>> cache_load(const CacheKey& key);

/// Stores `bytes` if there is room; may evict others.
void cache_store(const CacheKey& key, std::span<const std::byte> bytes);

} // namespace hostcl::compiler
