// Part of coverage.hpp: the counters of threads, in a file that is mapped into memory.

#include "runtime/coverage/coverage.hpp"
#include "runtime/coverage/data_files.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/thread_end.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hostcl::runtime::coverage {

namespace {

/// Number of fork() calls between the first process and this one. A child must not count in the parent's file, where
/// the parent goes on counting.
constinit std::atomic<unsigned> generation = 0;

/// Counters that belong to one thread at a time.
struct Held {
  std::uint64_t* counters;
  unsigned generation;
};
using HeldByKernel = std::unordered_map<std::uint64_t, Held>;
constinit thread_local HeldByKernel* held = nullptr;

/// The file of this process. It consists of profiles in LLVM's raw format, with zeros between them.
class CountsFile {
public:
  static CountsFile& instance() {
    static CountsFile& file =
        *new CountsFile; // never destroyed: kernels may run while static objects are destroyed
    return file;
  }

  static std::mutex& process_lock() { return instance().mutex_; }
  /// In a child of fork(): the next counters are in a file of the child's own.
  static void begin_anew() {
    CountsFile& file = instance();
    ++generation;
    if (file.file_ >= 0) close(file.file_);
    file.file_ = -1;
    file.bytes_ = 0;
    file.free_ = {};
    file.unused_.clear();
  }

  /// Counters that no thread uses, with the counts of the thread that used them before, or new ones.
  std::uint64_t* take(const abi::CoverageProfile& kernel) {
    const std::scoped_lock lock(mutex_);
    if (auto known = unused_.find(kernel.key); known != unused_.end() && !known->second.empty()) {
      std::uint64_t* counters = known->second.back();
      known->second.pop_back();
      return counters;
    }
    std::byte* profile = place(kernel.bytes);
    // A reader finds a profile by its first word, so this word is written last.
    constexpr std::size_t first = sizeof(std::uint64_t);
    std::memcpy(profile + first, kernel.profile + first, kernel.bytes - first);
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(profile, kernel.profile, first);
    return reinterpret_cast<std::uint64_t*>(profile + kernel.counters_begin);
  }

  /// Takes back the counters of a thread that ends. May throw std::bad_alloc.
  void give_back(const HeldByKernel& from) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [kernel, counters] : from)
      if (counters.generation == generation) unused_[kernel].push_back(counters.counters);
  }

private:
  /// Space for a profile, filled with zeros. Each profile begins at a cache line of its own, so that threads do not
  /// write to the same cache line.
  std::byte* place(std::size_t bytes) {
    constexpr std::size_t line = 64;
    bytes = (bytes + line - 1) / line * line;
    if (free_.size() < bytes) free_ = segment(bytes);
    std::byte* place = free_.data();
    free_ = free_.subspan(bytes);
    return place;
  }

  /// A new part of the file, as large as the file so far, but not smaller than 64 KiB or larger than 4 MiB, unless
  /// `least` is larger. If the file cannot grow, the part is private memory, whose counts are lost.
  std::span<std::byte> segment(std::size_t least) {
    constexpr std::size_t smallest = std::size_t{64} << 10, largest = std::size_t{4} << 20;
    const std::size_t pages = 4096;
    const std::size_t bytes =
        (std::max(least, std::clamp(static_cast<std::size_t>(bytes_), smallest, largest)) + pages - 1) /
        pages * pages;
    if (file_ < 0 && !is_lost_) file_ = open_counts();
    int error = file_ < 0 ? errno : posix_fallocate(file_, bytes_, static_cast<off_t>(bytes));
    if (error == 0) {
      void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, bytes_);
      if (mapped != MAP_FAILED) {
        bytes_ += static_cast<off_t>(bytes);
        return {static_cast<std::byte*>(mapped), bytes};
      }
      error = errno;
    }
    if (!std::exchange(is_lost_, true))
      log(LogLevel::warn, "HOSTCL_COVERAGE: counts are lost, because no file in ", *folder.load(),
          "/counts can be written: ", std::strerror(error));
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return {static_cast<std::byte*>(memory), bytes};
  }

  static int open_counts() {
    const std::string name = text(*folder.load(), "/counts/", getpid(), "-", now_ns(), ".profraw");
    return open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }

  std::mutex mutex_;
  int file_ = -1;
  off_t bytes_ = 0;
  std::span<std::byte> free_;
  bool is_lost_ = false; ///< the warning has been given
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t*>> unused_;
};

void end_thread() {
  try {
    CountsFile::instance().give_back(*held);
  } catch (const std::bad_alloc&) {
    held->clear(); // no other thread continues these counters; their counts stay in the file
  }
  delete std::exchange(held, nullptr);
}

// Runs before main(), or when the ICD loader opens the driver, so before any call of the API.
[[gnu::constructor]] void begin_when_loaded() noexcept {
  try {
    begin();
    if (is_on()) held_over_fork<CountsFile::process_lock, CountsFile::begin_anew>();
  } catch (const std::exception&) {
    return; // out of memory, so there is no coverage
  }
}

} // namespace

std::uint64_t* counters_of_thread(const abi::CoverageProfile& kernel) noexcept {
  try {
    if (!held) {
      auto made = std::make_unique<HeldByKernel>();
      if (!at_thread_end<end_thread>()) return CountsFile::instance().take(kernel);
      held = made.release();
      note_data();
    }
    Held& own = (*held)[kernel.key];
    const unsigned now = generation.load(std::memory_order_relaxed);
    if (!own.counters || own.generation != now) own = {CountsFile::instance().take(kernel), now};
    return own.counters;
  } catch (const std::bad_alloc&) {
    return CountsFile::instance().take(kernel);
  }
}

} // namespace hostcl::runtime::coverage
