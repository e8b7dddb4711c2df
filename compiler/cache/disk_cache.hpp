#pragma once

// A cache of compiled results on disk. The key of a result is a hash of everything on which the result
// depends. Any number of processes may use it at the same time: files are written under a temporary name,
// renamed, and checked when they are read. It is a miss if a file is missing, damaged, belongs to another
// key, or has no valid seal, a hash of the file's contents and the folder's secret (cache_folder.hpp checks
// files and folders). An error of the file system never makes a build fail.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

bool cache_is_on();

/// A cryptographic hash: equal digests mean equal inputs.
using Digest = std::array<std::byte, 32>;

/// The key of a result: a hash of everything that the result depends on. Each key includes the driver's build.
class CacheKey {
public:
  /// @param contents everything else that the result depends on, such as a request (jobs/requests.hpp)
  CacheKey(std::string_view kind, std::span<const std::byte> contents);
  const Digest& digest() const { return digest_; }
  std::string file_name() const; ///< 32 hexadecimal digits: the first half of the digest
  auto operator<=>(const CacheKey&) const = default;

private:
  Digest digest_;
};

/// The bytes that are stored for `key`, if they exist and are valid.
std::optional<std::vector<std::byte>> cache_load(const CacheKey& key);

/// Stores `bytes`. Other entries may be removed if the cache is full. Nothing is stored if the bytes are too
/// large or writing fails.
void cache_store(const CacheKey& key, std::span<const std::byte> bytes);

} // namespace hostcl::compiler
