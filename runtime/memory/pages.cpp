#include "runtime/memory/pages.hpp"

#include "runtime/support/lock.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/pages.hpp"
#include "runtime/threads/machine.hpp"
#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <span>
#include <string>

#include <malloc.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
// Reuse of freed blocks would hide accesses to freed buffers from the sanitiser.
#define HOSTCL_CHECKED_MEMORY 1
#endif
#endif

namespace hostcl::runtime {

namespace {

/// The size of a huge page if pages have 4 KB. If pages have 16 or 64 KB, Linux makes huge pages only for larger blocks,
/// but the CPU can keep 2 MiB of consecutive pages in one entry of its TLB.
constexpr std::size_t huge_page_bytes = 2 << 20;
/// MADV_COLLAPSE of Linux 6.1, which older C libraries do not define.
constexpr int madv_collapse = 25;
/// Blocks of at least this size begin on a huge page.
constexpr std::size_t least_huge_bytes = 4 * huge_page_bytes;
/// Smaller freed blocks go back to malloc(), which keeps them itself.
constexpr std::size_t least_kept_bytes = 1 << 20;

/// Freed blocks, kept for later allocations, the oldest first. Keeping a block takes no memory from other processes,
/// because Linux may reclaim its pages at any time (MADV_FREE). The number and the total size of the blocks are limited
/// nevertheless: kept blocks use address space, and until Linux reclaims their pages, tools count the pages as resident
/// memory of the process.
class FreeBlocks {
public:
  /// Removes and returns the smallest block that is large enough, if less than a quarter of it would be
  /// wasted; else null.
  std::byte* take(std::size_t bytes, std::size_t alignment);
  /// Adds a block, and frees the oldest blocks if there is no space for it. @returns false if the block is too small or
  /// too large, or if its pages cannot be given to MADV_FREE; the caller then has to free the block
  bool keep(std::byte* memory, std::size_t bytes);
  /// Frees the oldest block. @returns false if there is none
  bool drop_oldest();

  Lock& lock() { return lock_; }

private:
  struct Block {
    std::byte* memory;
    std::size_t bytes;
  };
  static std::size_t most_bytes() { return machine().memory / 8; }
  Block remove(std::size_t index);

  Lock lock_; ///< guards the members below
  std::array<Block, 64> blocks_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

FreeBlocks::Block FreeBlocks::remove(std::size_t index) {
  Block block = blocks_[index];
  std::copy(blocks_.begin() + index + 1, blocks_.begin() + count_, blocks_.begin() + index);
  --count_;
  bytes_ -= block.bytes;
  return block;
}

std::byte* FreeBlocks::take(std::size_t bytes, std::size_t alignment) {
  std::scoped_lock guard(lock_);
  std::size_t best = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    const Block& block = blocks_[i];
    if (block.bytes >= bytes && block.bytes - bytes <= block.bytes / 4 &&
        reinterpret_cast<std::uintptr_t>(block.memory) % alignment == 0 &&
        (best == count_ || block.bytes < blocks_[best].bytes))
      best = i;
  }
  return best == count_ ? nullptr : remove(best).memory;
}

bool FreeBlocks::keep(std::byte* memory, std::size_t bytes) {
  if (bytes < least_kept_bytes || bytes > most_bytes() / 2) return false;
  const auto [before, whole] = whole_pages(reinterpret_cast<std::uintptr_t>(memory), bytes, page_bytes());
  if (madvise(memory + before, whole, MADV_FREE) != 0) return false;
  for (;;) {
    {
      std::scoped_lock guard(lock_);
      if (count_ < blocks_.size() && bytes_ + bytes <= most_bytes()) {
        blocks_[count_++] = {memory, bytes};
        bytes_ += bytes;
        return true;
      }
    }
    drop_oldest();
  }
}

bool FreeBlocks::drop_oldest() {
  std::byte* memory = nullptr;
  {
    std::scoped_lock guard(lock_);
    if (count_) memory = remove(0).memory;
  }
  std::free(memory);
  return memory != nullptr;
}

FreeBlocks& free_blocks() {
  static auto& instance = *new FreeBlocks;
  return instance;
}

Lock& process_lock() {
  return free_blocks().lock();
}
const bool is_held_over_fork = held_over_fork<process_lock>();

/// Whether Linux provides huge pages on request (madvise).
bool has_huge_pages() {
  static const bool answer = [] {
    std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string choice;
    std::getline(setting, choice);
    return choice.find("[always]") != choice.npos || choice.find("[madvise]") != choice.npos;
  }();
  return answer;
}

/// The number of resident bytes in a range of whole huge pages. @returns `bytes` if Linux cannot tell
std::size_t used_bytes(std::byte* memory, std::size_t bytes) {
  std::array<unsigned char, huge_page_bytes / least_page_bytes> is_used; // room for the smallest pages
  const std::span all(is_used.data(), huge_page_bytes / page_bytes());
  std::size_t pages = 0;
  for (std::size_t at = 0; at < bytes; at += huge_page_bytes) {
    if (mincore(memory + at, huge_page_bytes, is_used.data()) != 0) return bytes;
    pages += static_cast<std::size_t>(std::ranges::count_if(all, [](auto flags) { return flags & 1; }));
  }
  return pages * page_bytes();
}

/// The smallest size for which clear_pages() returns pages to Linux: twice the last-level cache, and at least 64 MiB. A
/// smaller range is zeroed faster by writing it, because it stays in the caches. Without huge pages, no range is large
/// enough.
std::size_t least_cleared_bytes() {
  constexpr std::size_t most_caches_bytes = 32 << 20;
  static const std::size_t bytes =
      has_huge_pages() ? 2 * std::max<std::size_t>(caches().last_level, most_caches_bytes) : ~std::size_t{0};
  return bytes;
}

/// Has Linux make a huge page of each 2 MiB of new memory that belongs to a file (guest/shared_memory.hpp). Without
/// this call, Linux would use small pages when the memory is touched, unless transparent_hugepage/shmem_enabled allows
/// huge pages.
void make_huge_pages(Workers& workers, std::byte* memory, std::size_t bytes) {
  auto body = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t page = first; page < last; ++page)
      memory[page * huge_page_bytes] =
          std::byte{0}; // Linux makes a huge page only if at least one of its small pages exists
    madvise(memory + first * huge_page_bytes, (last - first) * huge_page_bytes, madv_collapse);
  };
  constexpr std::uint64_t grain = 4;
  workers.for_ranges(0, bytes / huge_page_bytes, grain, body);
}

/// The number of bytes of which the size and the address of a block are multiples. Blocks that may be passed to
/// madvise() consist of whole pages. For smaller blocks the number is least_page_bytes on every system, because a small
/// object would take 16 times as much memory if it were rounded up to a page of 64 KB.
std::size_t granule_of(std::size_t bytes) {
  if (bytes >= least_huge_bytes) return huge_page_bytes;
  return bytes >= least_kept_bytes ? page_bytes() : least_page_bytes;
}

} // namespace

std::byte* allocate_pages(std::size_t bytes, std::size_t alignment) {
  const std::size_t granule = granule_of(bytes);
  alignment = std::max(alignment, granule);
  if (bytes > ~std::size_t{0} - alignment) return nullptr;
  const std::size_t rounded = std::max((bytes + granule - 1) / granule * granule, granule);
  void* memory = bytes >= least_kept_bytes ? free_blocks().take(rounded, alignment) : nullptr;
  if (!memory) {
    while (posix_memalign(&memory, alignment, rounded) != 0)
      if (!free_blocks().drop_oldest()) return nullptr;
    if (granule == huge_page_bytes) madvise(memory, rounded, MADV_HUGEPAGE);
  }
  auto* first = static_cast<std::byte*>(memory);
  if (bytes < least_page_bytes) // what a kernel reads behind a small object is the same each time
    std::memset(first + bytes, 0, std::min<std::size_t>(rounded - bytes, 64));
  return first;
}

void free_pages(std::byte* memory) {
#ifndef HOSTCL_CHECKED_MEMORY
  if (free_blocks().keep(memory, malloc_usable_size(memory))) return;
#endif
  std::free(memory);
}

std::byte* allocate_for(Context& context, std::size_t bytes, std::size_t alignment) {
  const bool is_hosted = context.code_host() != nullptr;
  std::byte* memory = is_hosted
                          ? context.code_host()->allocate_data(bytes, std::max(alignment, granule_of(bytes)))
                          : allocate_pages(bytes, alignment);
  if (!memory) return nullptr;
  if (is_hosted && bytes >= least_huge_bytes && context.memory_in_use() <= machine().memory / 2 &&
      has_huge_pages())
    make_huge_pages(context.first_device().workers(), memory, bytes);
  if (const std::optional<std::byte> fill = context.fill()) [[unlikely]]
    std::memset(memory, std::to_integer<int>(*fill), bytes);
  return memory;
}

void free_for(Context& context, std::byte* memory) {
  if (context.code_host())
    context.code_host()->free_data(memory);
  else
    free_pages(memory);
}

bool clear_pages(std::byte* memory, std::size_t bytes, bool even_if_used) {
  if (bytes < least_cleared_bytes()) return false;
  const auto [before, whole] = whole_pages(reinterpret_cast<std::uintptr_t>(memory), bytes, huge_page_bytes);
  std::byte* first = memory + before;
  if (!even_if_used && used_bytes(first, whole) > whole / 2) return false;
  // Writes a byte that must be 0 after madvise(), to see whether Linux has dropped the page. Linux keeps the contents
  // of pages that are locked (mlock()) or belong to a shared mapping, which an allocator of the application may use.
  *first = std::byte{1};
  if (madvise(first, whole, MADV_DONTNEED) != 0 || *first != std::byte{0}) return false;
  std::memset(memory, 0, before);
  std::memset(first + whole, 0, bytes - before - whole);
  return true;
}

bool is_mapped(const void* memory, std::size_t bytes) {
  const auto first = std::bit_cast<std::uintptr_t>(memory);
  const std::size_t before = first % page_bytes();
  if (bytes > ~std::uintptr_t{0} - first) return false;
  // msync() fails with addresses that are not mapped. With MS_ASYNC it starts no write.
  return msync(std::bit_cast<void*>(first - before), bytes + before, MS_ASYNC) == 0;
}

} // namespace hostcl::runtime
