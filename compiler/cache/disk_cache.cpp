#include "compiler/cache/disk_cache.hpp"

#include "compiler/cache/build_id.hpp"
#include "compiler/cache/cache_files.hpp"
#include "compiler/cache/cache_folder.hpp"
#include "compiler/compiler.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

/// A version number, which must change when the layout of entries changes. (Each key also contains the driver's build.)
constexpr char magic[8] = {'h', 'o', 's', 't', 'c', 'l', 'c', '2'};

/// The header of an entry, before its bytes.
struct EntryHeader {
  char magic[8];
  std::uint64_t size; ///< number of bytes after the header
  Digest key;         ///< CacheKey::digest(); the file's name contains only a part of the digest
  Digest seal;        ///< hash of the folder's secret, the members above, and the bytes
};

/// The secret of the folder as this process read it last. If the secret changes later, entries are misses, but never
/// wrong.
class KnownSecret {
public:
  /// @param renew reads the secret again, so that other processes can use the entries that this process writes
  std::optional<Secret> of(const Descriptor& folder, bool renew = false) const {
    std::scoped_lock lock(mutex_);
    if (renew || !secret_) secret_ = secret_of(folder);
    return secret_;
  }

private:
  mutable std::mutex mutex_; ///< guards secret_; held while files are read
  mutable std::optional<Secret> secret_;
};

struct CacheConfig {
  CacheConfig(std::string path, std::uint64_t bytes) : folder(std::move(path)), max_bytes(bytes) {}
  std::string folder;
  std::uint64_t max_bytes;
  KnownSecret secret;
};

std::mutex config_mutex;
std::shared_ptr<const CacheConfig> current_config; ///< guarded by config_mutex

std::shared_ptr<const CacheConfig> config() {
  std::scoped_lock lock(config_mutex);
  return current_config;
}

llvm::ArrayRef<std::uint8_t> octets(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Digest finish(llvm::BLAKE3& hash) {
  return std::bit_cast<Digest>(hash.final<sizeof(Digest)>());
}

/// The seal of an entry. A seal for other bytes cannot be computed without the secret.
Digest seal_of(const Secret& secret, const EntryHeader& header, std::span<const std::byte> bytes) {
  llvm::BLAKE3 hash;
  hash.update(octets(secret));
  hash.update(octets(std::as_bytes(std::span(&header, 1)).first(offsetof(EntryHeader, seal))));
  hash.update(octets(bytes));
  return finish(hash);
}

EntryHeader header_of(const Secret& secret, const CacheKey& key, std::span<const std::byte> bytes) {
  EntryHeader header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.size = bytes.size();
  header.key = key.digest();
  header.seal = seal_of(secret, header, bytes);
  return header;
}

/// The folder and name of an entry. There are two levels of folders, so that no folder has more files than
/// file systems handle well.
struct Place {
  explicit Place(const CacheKey& key)
      : folder(key.file_name().substr(0, folder_digits)), file(key.file_name().substr(folder_digits)) {}
  std::string folder, file;
};

std::optional<std::vector<std::byte>> read_checked(const Descriptor& file, const struct stat& status,
                                                   const Secret& secret, const CacheKey& key,
                                                   std::uint64_t max_bytes) {
  EntryHeader header;
  if (!file.read(&header, sizeof header)) return std::nullopt;
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key.digest()) return std::nullopt;
  if (header.size != static_cast<std::uint64_t>(status.st_size) - sizeof header || header.size > max_bytes)
    return std::nullopt;
  std::vector<std::byte> bytes(header.size);
  if (!file.read(bytes.data(), bytes.size())) return std::nullopt;
  if (header.seal != seal_of(secret, header, bytes)) return std::nullopt;
  return bytes;
}

Descriptor open_or_make(const std::string& path) {
  if (Descriptor folder = open_folder(path)) return folder;
  make_folder(path);
  return open_folder(path);
}

void remove(const Descriptor& root, const CachedFile& file) {
  if (const Descriptor folder = open_folder(root, file.folder, /*make=*/false))
    ::unlinkat(folder.number(), file.name.c_str(), 0);
}

/// Removes temporary files of processes that ended while writing. Writing takes less than a second.
void remove_abandoned(const Descriptor& root, std::vector<CachedFile>& files) {
  constexpr std::int64_t hour_s = 3600;
  const std::int64_t then = std::time(nullptr) - hour_s;
  std::erase_if(files, [&](const CachedFile& file) {
    if (file.used_s > then || !is_temporary_name(file.name)) return false;
    remove(root, file);
    return true;
  });
}

/// The folder is walked again when 1/walk_part of its limit has been written.
constexpr std::uint64_t walk_part = 16;

/// Removes the least recently used files until the size of the cache is below its limit by a margin: the bytes that are
/// written until the next walk, and some more.
void evict(const Descriptor& root, std::uint64_t max_bytes) {
  std::vector<CachedFile> files = list_files(root);
  remove_abandoned(root, files);
  std::uint64_t total = 0;
  for (const CachedFile& file : files)
    total += file.size;
  if (total <= max_bytes - max_bytes / walk_part) return;
  std::ranges::sort(files, {}, &CachedFile::used_s);
  const std::uint64_t target = max_bytes / 10 * 9;
  for (const CachedFile& file : files) {
    if (total <= target) break;
    remove(root, file);
    total -= file.size;
  }
}

} // namespace

Outcome<> set_cache(const std::string& folder, std::uint64_t max_bytes) {
  std::shared_ptr<const CacheConfig> config;
  Outcome<> outcome{Status::success};
  if (!folder.empty()) {
    // An absolute path, because the process may change its working directory.
    std::error_code error;
    std::string path = std::filesystem::absolute(folder, error).string();
    if (error) path = folder;
    while (path.size() > 1 && path.back() == '/') // a symbolic link with a slash at the end would be followed
      path.pop_back();
    if (llvm::Error error = check_folder(path))
      outcome = Failed{Status::invalid_options, llvm::toString(std::move(error))};
    config = std::make_shared<const CacheConfig>(std::move(path), max_bytes);
  }
  std::scoped_lock lock(config_mutex);
  current_config = std::move(config);
  return outcome;
}

void close_cache(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(config_mutex);
  auto closed = std::exchange(current_config, nullptr);
  lock.unlock();
  // Each call that uses the folder holds a reference.
  while (closed.use_count() > 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool cache_is_on() {
  return config() != nullptr;
}

CacheKey::CacheKey(std::string_view kind, std::span<const std::byte> contents) {
  llvm::BLAKE3 hash;
  // The lengths make sure that different lists of parts give different hashes.
  auto add = [&](std::span<const std::byte> part) {
    const std::uint64_t length = part.size();
    hash.update(octets(std::as_bytes(std::span(&length, 1))));
    hash.update(octets(part));
  };
  add(std::as_bytes(std::span(build_id())));
  add(std::as_bytes(std::span(kind)));
  add(contents);
  digest_ = finish(hash);
}

std::string CacheKey::file_name() const {
  return llvm::toHex(octets(digest_).take_front((folder_digits + file_digits) / 2), /*LowerCase=*/true);
}

std::optional<std::vector<std::byte>> cache_load(const CacheKey& key) {
  auto settings = config();
  if (!settings) return std::nullopt;
  const Place place(key);
  const Descriptor root = open_folder(settings->folder);
  if (!root) return std::nullopt;
  // The file is opened by one path, without opening the inner folder: no other user can have made the inner folder, and
  // the file itself is checked.
  const std::string name = place.folder + "/" + place.file;
  struct stat status;
  const Descriptor file = open_file(root, name, status);
  if (!file && errno == ENOENT) return std::nullopt;
  const auto secret = settings->secret.of(root);
  if (!secret) return std::nullopt;
  auto bytes = file ? read_checked(file, status, *secret, key, settings->max_bytes) : std::nullopt;
  if (bytes)
    ::futimens(file.number(), nullptr); // marks the file as just used
  else
    ::unlinkat(root.number(), name.c_str(), 0);
  return bytes;
}

void cache_store(const CacheKey& key, std::span<const std::byte> bytes) {
  auto settings = config();
  if (!settings || bytes.size() > settings->max_bytes / 4) return;
  const Place place(key);
  const Descriptor root = open_or_make(settings->folder);
  if (!root) return;
  const auto secret = settings->secret.of(root, /*renew=*/true);
  const Descriptor folder = open_folder(root, place.folder, /*make=*/true);
  if (!secret || !folder) return;
  const EntryHeader header = header_of(*secret, key, bytes);
  const std::array<std::span<const std::byte>, 2> parts = {std::as_bytes(std::span(&header, 1)), bytes};
  const std::string temporary = write_beside(folder, place.file, parts);
  if (temporary.empty()) return;
  if (::renameat(folder.number(), temporary.c_str(), folder.number(), place.file.c_str()) != 0) {
    ::unlinkat(folder.number(), temporary.c_str(), 0);
    return;
  }
  // evict() runs once each time that all processes together have written 1 / walk_part of the cache's limit. The bytes
  // of this entry are counted after the entry has got its final name. If another process runs evict() at that moment
  // and misses the entry, the entry's bytes count towards the next evict(), which finds the entry.
  const bool is_due = count_written(root, sizeof header + bytes.size(), settings->max_bytes / walk_part);
  // When this process uses the folder for the first time, the folder may be larger than its setting allows.
  static std::atomic<bool> is_known = false;
  if (!is_known.exchange(true) || is_due) evict(root, settings->max_bytes);
}

} // namespace hostcl::compiler
