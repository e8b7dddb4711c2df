#pragma once

// A cache of compiled results on disk, addressed by the content they were made from. Safe with any number of
// processes: files are written under a temporary name, renamed into place, and checked when read; whatever is
// missing, damaged, another key's, or not sealed with the folder's secret is a miss (cache_folder.hpp has what is
// asked of files and folders). No error of the file system is ever an error of the build.

#include <array>
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

/// A hash without known collisions, so that equal digests mean equal texts.
using Digest = std::array<std::byte, 32>;

/// Names a result by all that it depends on. The driver's build, the host CPU and the heuristics
/// that are off are always part of it.
class CacheKey {
public:
  CacheKey(std::string_view kind, std::initializer_list<std::string_view> parts)
      : CacheKey(kind, std::span(parts.begin(), parts.size())) {}
  CacheKey(std::string_view kind, std::span<const std::string_view> parts);
  const Digest& digest() const { return digest_; }
  std::string file_name() const; ///< 32 hexadecimal digits, half of the digest
  auto operator<=>(const CacheKey&) const = default;

private:
  Digest digest_;
};

/// The bytes stored for `key`, if they are there and whole.
std::optional<std::vector<std::byte>> cache_load(const CacheKey& key);

/// Stores `bytes` if there is room; may evict others.
void cache_store(const CacheKey& key, std::span<const std::byte> bytes);

} // namespace hostcl::compiler
