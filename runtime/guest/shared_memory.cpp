#include "runtime/guest/shared_memory.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/server/driver_process.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::runtime {

namespace {

/// The part of the address space, in eighths, in which neither Linux nor the loaders of the two processes place
/// anything: above a position-dependent executable and its heap, and below two thirds of the address space, where
/// position-independent executables and libraries are.
constexpr std::uintptr_t lowest = 1, highest = 5;
constexpr std::uintptr_t place_granule = std::uintptr_t{1} << 30;

/// Allocations begin at a multiple of this, so that no two allocations share a cache line.
constexpr std::size_t least_granule = 128;

/// All kept pages are given back when they amount to more than the whole memory divided by this number.
constexpr std::size_t kept_part = 64;

/// Whether Linux limits the memory that all processes may touch together (vm.overcommit_memory). An access to a page of
/// a file beyond the limit raises SIGBUS.
bool is_memory_accounted() {
  static const bool answer = [] {
    std::ifstream setting("/proc/sys/vm/overcommit_memory");
    return setting.get() == '2';
  }();
  return answer;
}

/// Has Linux provide all pages of a range now. @returns false if there is not enough memory
bool populate(std::byte* memory, std::size_t bytes) {
  constexpr int madv_populate_write = 23; // of Linux 5.14, which older C libraries do not define
  const std::size_t before = reinterpret_cast<std::uintptr_t>(memory) % page_bytes();
  return madvise(memory - before, bytes + before, madv_populate_write) == 0 || errno == EINVAL;
}

std::byte* map_somewhere(int file, std::size_t bytes) {
  std::random_device random;
  const std::uintptr_t granules_of_eighth = (std::uintptr_t{1} << (address_bits() - 3)) / place_granule;
  std::uniform_int_distribution<std::uintptr_t> places(lowest * granules_of_eighth,
                                                       highest * granules_of_eighth);
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
  rlimit largest_file{};
  getrlimit(RLIMIT_FSIZE, &largest_file);
  if (bytes > largest_file.rlim_cur) {
    errno = EFBIG; // ftruncate() would raise SIGXFSZ
    return nullptr;
  }
  FileDescriptor file = compiler::file_in_memory(MFD_ALLOW_SEALING);
  if (!file || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return nullptr;
  std::byte* begin = map_somewhere(file.get(), bytes);
  if (!begin) return nullptr;
  return std::unique_ptr<SharedMemory>(new SharedMemory(std::move(file), begin, bytes));
}

SharedMemory::SharedMemory(FileDescriptor file, std::byte* begin, std::size_t bytes)
    : file_(std::move(file)), begin_(begin), bytes_(bytes), new_{{bytes, 0}} {
  blocks_.emplace(0, Block{bytes, &new_});
}

SharedMemory::~SharedMemory() {
  munmap(begin_, bytes_);
}

std::byte* SharedMemory::allocate(std::size_t bytes, std::size_t alignment, std::size_t from,
                                  std::size_t to) {
  if (bytes >= bytes_ || !is_own()) return nullptr;
  const std::size_t granule = bytes >= page_bytes() ? page_bytes() : least_granule;
  std::byte* const memory = take({abi::aligned(bytes + 1, granule), std::max(alignment, granule), from, to});
  if (!memory || !is_memory_accounted() || populate(memory, bytes)) return memory;
  free(memory);
  return nullptr;
}

std::byte* SharedMemory::take(const Request& request) {
  const std::scoped_lock guard(mutex_);
  if (std::byte* memory = take(kept_, request)) return memory;
  if (std::byte* memory = take(new_, request)) return memory;
  give_back_kept(); // kept gaps may lie between new gaps, which are joined now
  return take(new_, request);
}

/// Allocates in the smallest gap of the list that is large enough. @returns null if there is none
std::byte* SharedMemory::take(Gaps& gaps, const Request& request) {
  const auto& [bytes, alignment, from, to] = request;
  for (auto gap = gaps.lower_bound({bytes, 0}); gap != gaps.end(); ++gap) {
    const auto [room, first] = *gap;
    const std::size_t before = abi::aligned(std::max(first, from), alignment) - first;
    if (before > room - bytes || bytes > to || first + before > to - bytes) continue;
    auto block = blocks_.find(first);
    if (before != 0) split(block, before);
    block = blocks_.find(first + before);
    if (block->second.bytes != bytes) split(block, bytes);
    block->second.node = gaps.extract({bytes, block->first});
    block->second.gaps = nullptr;
    if (&gaps == &kept_)
      kept_bytes_ -= bytes;
    else
      used_bytes_ += bytes;
    return begin_ + block->first;
  }
  return nullptr;
}

/// Divides a gap into a gap of `bytes` and the rest after it.
void SharedMemory::split(Blocks::iterator gap, std::size_t bytes) {
  auto& [first, block] = *gap;
  Gaps rest{{block.bytes - bytes, first + bytes}};
  blocks_.emplace(first + bytes, Block{block.bytes - bytes, block.gaps}); // the last step that can fail
  block.gaps->merge(rest);
  auto node = block.gaps->extract({block.bytes, first});
  node.value().first = block.bytes = bytes;
  block.gaps->insert(std::move(node));
}

void SharedMemory::free(std::byte* memory) noexcept {
  if (!memory || !is_own()) return;
  const std::scoped_lock guard(mutex_);
  const auto block = blocks_.find(static_cast<std::size_t>(memory - begin_));
  if (block == blocks_.end() || block->second.gaps) return;
  kept_bytes_ += block->second.bytes;
  join(block, std::move(block->second.node), kept_);
  if (kept_bytes_ > bytes_ / kept_part) give_back_kept();
}

/// Makes a block a gap of a list, and joins it with adjacent gaps of the same list.
void SharedMemory::join(Blocks::iterator block, Gaps::node_type node, Gaps& gaps) noexcept {
  block->second.gaps = &gaps;
  if (block != blocks_.begin() && std::prev(block)->second.gaps == &gaps) --block;
  auto& [first, joined] = *block;
  gaps.erase(Gaps::value_type(joined.bytes, first));
  for (auto next = std::next(block); next != blocks_.end() && next->second.gaps == &gaps;
       next = blocks_.erase(next)) {
    gaps.erase(Gaps::value_type(next->second.bytes, next->first));
    joined.bytes += next->second.bytes;
  }
  node.value() = {joined.bytes, first};
  gaps.insert(std::move(node));
}

void SharedMemory::give_back_kept() noexcept {
  while (!kept_.empty()) {
    auto node = kept_.extract(kept_.begin());
    const auto [bytes, first] = node.value();
    give_back(first, bytes);
    join(blocks_.find(first), std::move(node), new_);
  }
  used_bytes_ -= kept_bytes_;
  kept_bytes_ = 0;
}

/// Gives the whole pages of a range back to Linux.
void SharedMemory::give_back(std::size_t first, std::size_t bytes) noexcept {
  const auto [before, whole] = whole_pages(first, bytes, page_bytes());
  if (whole != 0)
    fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first + before),
              static_cast<off_t>(whole));
}

bool SharedMemory::holds_too_much() const {
  constexpr std::size_t block_bytes = 512, tolerance = std::size_t{64} << 20;
  struct stat status{};
  return fstat(file_.get(), &status) == 0 &&
         static_cast<std::size_t>(status.st_blocks) * block_bytes > used_bytes_.load() + tolerance;
}

void SharedMemory::trim() noexcept {
  const std::scoped_lock guard(mutex_);
  give_back_kept();
  for (const auto& [bytes, first] : new_)
    give_back(first, bytes);
}

} // namespace hostcl::runtime
