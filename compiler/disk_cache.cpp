#include "compiler/disk_cache.hpp"

#include "compiler/build_id.hpp"
#include "compiler/checks.hpp"
#include "compiler/compiler.hpp"
#include "compiler/heuristics.hpp"
#include "compiler/write_signals.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace hostcl::compiler {

namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = {'h', 'o', 's', 't', 'c', 'l', 'c', '1'};

struct FileHeader {
  char magic[8];
  std::uint64_t size; ///< bytes after the header
  std::uint64_t hash; ///< XXH3 of them
};

struct CacheConfig {
  std::string folder;
  std::uint64_t max_bytes;
};

std::mutex config_mutex;
std::shared_ptr<const CacheConfig> current_config; ///< guarded by config_mutex

std::shared_ptr<const CacheConfig> config() {
  std::scoped_lock lock(config_mutex);
  return current_config;
}

class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool read(void* to, std::size_t size) {
    auto* bytes = static_cast<char*>(to);
    while (size) {
      ssize_t count = ::read(descriptor_, bytes, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes += count;
      size -= static_cast<std::size_t>(count);
    }
    return true;
  }

  bool write(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const char*>(from);
    while (size) {
      ssize_t count = ::write(descriptor_, bytes, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes += count;
      size -= static_cast<std::size_t>(count);
    }
    return true;
  }

private:
  int descriptor_;
};

/// Two levels of folders, so that none grows beyond what file systems handle well.
fs::path path_of(const CacheConfig& config, const CacheKey& key) {
  std::string name = key.file_name();
  return fs::path(config.folder) / name.substr(0, 2) / name.substr(2);
}

std::optional<std::vector<std::byte>> read_checked(File& file, std::uint64_t max_bytes) {
  FileHeader header;
  struct stat status;
  if (::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !file.read(&header, sizeof header))
    return std::nullopt;
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) return std::nullopt;
  if (header.size != static_cast<std::uint64_t>(status.st_size) - sizeof header || header.size > max_bytes)
    return std::nullopt;
  std::vector<std::byte> bytes(header.size);
  if (!file.read(bytes.data(), bytes.size())) return std::nullopt;
  if (header.hash != XXH3_64bits(bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

constexpr const char* temporary_mark = ".tmp.";

/// Writes a new file beside `path`. @returns its name, which is empty if there is no such file
std::string write_beside(const fs::path& path, std::span<const std::byte> bytes) {
  std::string name = path.string() + temporary_mark + "XXXXXX";
  File file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) return {};
  FileHeader header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.size = bytes.size();
  header.hash = XXH3_64bits(bytes.data(), bytes.size());
  WriteSignalsBlocked no_signals;
  if (file.write(&header, sizeof header) && file.write(bytes.data(), bytes.size())) return name;
  ::unlink(name.c_str());
  return {};
}

struct CachedFile {
  fs::path path;
  std::uint64_t size;
  fs::file_time_type used;
};

std::vector<CachedFile> list_files(const fs::path& folder) {
  std::vector<CachedFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone; // another process may remove it meanwhile
    if (!entry->is_regular_file(gone) || gone) continue;
    CachedFile file{entry->path(), entry->file_size(gone), entry->last_write_time(gone)};
    if (!gone) files.push_back(std::move(file));
  }
  return files;
}

void remove(const CachedFile& file) {
  std::error_code gone;
  fs::remove(file.path, gone);
}

/// Removes temporary files of processes that ended while they wrote, which takes less than a second.
void remove_abandoned(std::vector<CachedFile>& files) {
  const auto then = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::erase_if(files, [&](const CachedFile& file) {
    if (file.used > then || file.path.filename().string().find(temporary_mark) == std::string::npos)
      return false;
    remove(file);
    return true;
  });
}

/// Removes the least recently used files until the rest fits, with some room to spare.
void evict(const CacheConfig& config) {
  std::vector<CachedFile> files = list_files(config.folder);
  remove_abandoned(files);
  std::uint64_t total = 0;
  for (const CachedFile& file : files)
    total += file.size;
  if (total <= config.max_bytes) return;
  std::ranges::sort(files, {}, &CachedFile::used);
  std::uint64_t target = config.max_bytes / 10 * 9;
  for (const CachedFile& file : files) {
    if (total <= target) break;
    remove(file);
    total -= file.size;
  }
}

/// The folder is walked once for each sixteenth of its limit that this process has written.
void evict_now_and_then(const CacheConfig& config, std::uint64_t written) {
  static std::atomic<std::uint64_t> since_walk = ~std::uint64_t{0} / 2;
  if (since_walk.fetch_add(written) + written < config.max_bytes / 16) return;
  since_walk = 0;
  evict(config);
}

} // namespace

void set_cache(std::string folder, std::uint64_t max_bytes) {
  auto config = folder.empty() ? nullptr : std::make_shared<const CacheConfig>(std::move(folder), max_bytes);
  std::scoped_lock lock(config_mutex);
  current_config = std::move(config);
}

void close_cache(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(config_mutex);
  auto closed = std::exchange(current_config, nullptr);
  lock.unlock();
  // Each call that uses the folder has a reference.
  while (closed.use_count() > 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool cache_is_on() {
  return config() != nullptr;
}

CacheKey::CacheKey(std::string_view kind, std::initializer_list<std::string_view> parts) {
  XXH3_state_t* state = XXH3_createState();
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state);
  // Lengths keep neighbouring parts apart.
  auto add = [&](std::string_view part) {
    std::uint64_t length = part.size();
    XXH3_128bits_update(state, &length, sizeof length);
    XXH3_128bits_update(state, part.data(), part.size());
  };
  add(build_id());
  add(host_cpu().name);
  add(host_cpu().features);
  add(heuristics_off());
  add(checks_on());
  add(kind);
  for (std::string_view part : parts)
    add(part);
  XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  low_ = hash.low64;
  high_ = hash.high64;
}

std::string CacheKey::file_name() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return text;
}

std::optional<std::vector<std::byte>> cache_load(const CacheKey& key) {
  auto settings = config();
  if (!settings) return std::nullopt;
  fs::path path = path_of(*settings, key);
  // A path that is no ordinary file must not block: opening a FIFO waits for a writer.
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return std::nullopt;
  std::optional<std::vector<std::byte>> bytes = read_checked(file, settings->max_bytes);
  if (bytes)
    ::futimens(file.descriptor(), nullptr); // used now
  else
    ::unlink(path.c_str());
  return bytes;
}

void cache_store(const CacheKey& key, std::span<const std::byte> bytes) {
  auto settings = config();
  if (!settings || bytes.size() > settings->max_bytes / 4) return;
  fs::path path = path_of(*settings, key);
  std::string temporary = write_beside(path, bytes);
  if (temporary.empty() && errno == ENOENT) { // the first file in its folder
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    temporary = write_beside(path, bytes);
  }
  if (temporary.empty()) return;
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
    return;
  }
  evict_now_and_then(*settings, bytes.size());
}

} // namespace hostcl::compiler
