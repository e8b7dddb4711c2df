#include "runtime/guest/shared_memory.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::runtime {

namespace {

/// Addresses at which neither Linux nor the loaders of the two processes place anything: above the program of a
/// position-dependent executable and its heap, below position-independent ones and libraries.
constexpr std::uintptr_t lowest = std::uintptr_t{0x10} << 40, highest = std::uintptr_t{0x50} << 40;
constexpr std::uintptr_t place_granule = std::uintptr_t{1} << 30;

/// Allocations begin on a cache line of their own.
constexpr std::size_t least_granule = 128;

std::byte* map_somewhere(int file, std::size_t bytes) {
  std::random_device random;
  std::uniform_int_distribution<std::uintptr_t> places(lowest / place_granule, highest / place_granule);
  for (unsigned attempts = 0; attempts < 64; ++attempts) {
    void* wanted = reinterpret_cast<void*>(places(random) * place_granule);
    void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                     file, 0);
    if (got == wanted) return static_cast<std::byte*>(got);
    if (got != MAP_FAILED) munmap(got, bytes); // a kernel before Linux 4.17 takes the address as a hint
  }
  return nullptr;
}

} // namespace

std::unique_ptr<SharedMemory> SharedMemory::create(std::size_t bytes) {
  FileDescriptor file(memfd_create("hostcl-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return nullptr;
  std::byte* begin = map_somewhere(file.get(), bytes);
  if (!begin) return nullptr;
  madvise(begin, bytes, MADV_DONTFORK);
  return std::unique_ptr<SharedMemory>(new SharedMemory(std::move(file), begin, bytes));
}

SharedMemory::SharedMemory(FileDescriptor file, std::byte* begin, std::size_t bytes)
    : file_(std::move(file)), begin_(begin), bytes_(bytes), gaps_{{0, bytes}} {}

SharedMemory::~SharedMemory() {
  munmap(begin_, bytes_);
}

std::byte* SharedMemory::allocate(std::size_t bytes, std::size_t alignment, std::size_t from,
                                  std::size_t to) {
  alignment = std::max(alignment, bytes >= page_bytes() ? page_bytes() : least_granule);
  if (bytes > bytes_) return nullptr;
  bytes = abi::aligned(std::max<std::size_t>(bytes, 1), alignment);
  const std::scoped_lock guard(mutex_);
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const auto [first, room] = *gap;
    const std::size_t place = abi::aligned(std::max(first, from), alignment);
    if (place - first > room || bytes > room - (place - first) || bytes > to || place > to - bytes) continue;
    in_use_.emplace(place, bytes);
    used_ += bytes;
    const std::size_t behind = room - (place - first) - bytes;
    if (behind != 0) gaps_.emplace(place + bytes, behind);
    if (place == first)
      gaps_.erase(gap);
    else
      gap->second = place - first;
    return begin_ + place;
  }
  return nullptr;
}

void SharedMemory::free(std::byte* memory) noexcept {
  if (!memory) return;
  const std::scoped_lock guard(mutex_);
  const auto used = in_use_.find(static_cast<std::size_t>(memory - begin_));
  if (used == in_use_.end()) return;
  used_ -= used->second;
  auto node = in_use_.extract(used); // becomes a gap, without an allocation that could fail
  punch(node.key(), node.mapped());
  auto gap = gaps_.insert(std::move(node)).position;
  if (const auto next = std::next(gap); next != gaps_.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap == gaps_.begin()) return;
  if (const auto previous = std::prev(gap); previous->first + previous->second == gap->first) {
    previous->second += gap->second;
    gaps_.erase(gap);
  }
}

/// Gives the whole pages of a range back to Linux. The caller holds mutex_.
void SharedMemory::punch(std::size_t first, std::size_t bytes) noexcept {
  const auto [before, whole] = whole_pages(first, bytes, page_bytes());
  if (whole != 0)
    fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first + before),
              static_cast<off_t>(whole));
}

bool SharedMemory::holds_too_much() const {
  constexpr std::size_t block_bytes = 512, tolerance = std::size_t{64} << 20;
  struct stat status{};
  return fstat(file_.get(), &status) == 0 &&
         static_cast<std::size_t>(status.st_blocks) * block_bytes > used_.load() + tolerance;
}

void SharedMemory::trim() noexcept {
  const std::scoped_lock guard(mutex_);
  for (const auto& [first, bytes] : gaps_)
    punch(first, bytes);
}

} // namespace hostcl::runtime
