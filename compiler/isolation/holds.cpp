#include "compiler/isolation/holds.hpp"

#include "compiler/isolation/cancellation_request.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <span>

namespace hostcl::compiler {

constinit thread_local int held_count = INT_MIN / 2;

namespace {

/// Blocks of one size.
struct SizeClass {
  std::size_t bytes;
  std::size_t count;
};

/// The blocks that LLVM and clang allocate until they have released all locks, if all allocations fail: 280
/// blocks when the code generator is used for the first time, and tables of the code generator that grow to
/// 256 KB.
constexpr std::array classes = {
    SizeClass{64, 384},  SizeClass{128, 16},   SizeClass{256, 8},   SizeClass{512, 4},   SizeClass{1024, 4},
    SizeClass{2048, 4},  SizeClass{4096, 4},   SizeClass{8192, 4},  SizeClass{16384, 2}, SizeClass{32768, 2},
    SizeClass{65536, 2}, SizeClass{131072, 1}, SizeClass{262144, 1}};

constexpr std::size_t total = [] {
  std::size_t blocks = 0;
  for (const SizeClass& each : classes)
    blocks += each.count;
  return blocks;
}();

/// The blocks in ascending order of size; null where a block has been taken.
constinit std::array<std::atomic<void*>, total> reserve{};
constinit std::atomic<bool> is_full = false;

void* take(std::span<std::atomic<void*>> blocks) {
  for (std::atomic<void*>& block : blocks)
    if (block.load(std::memory_order_relaxed))
      if (void* taken = block.exchange(nullptr)) return taken;
  return nullptr;
}

/// Fills one element of the reserve. @returns false if memory is short
bool fill(std::atomic<void*>& place, std::size_t bytes) {
  if (place.load(std::memory_order_relaxed)) return true;
  void* block = std::malloc(bytes);
  if (!block) return false;
  void* none = nullptr;
  if (!place.compare_exchange_strong(none, block)) std::free(block); // another thread has filled it
  return true;
}

} // namespace

void count_holds() {
  held_count = 0;
}

bool fill_reserve() {
  if (is_full) return true;
  auto place = reserve.begin();
  for (const SizeClass& each : classes)
    for (std::size_t i = 0; i < each.count; ++i)
      if (!fill(*place++, each.bytes)) return false;
  is_full = true;
  return true;
}

void* reserved_memory(std::size_t bytes) noexcept {
  note_lack_of_memory();
  if (held_count <= 0) return nullptr;
  is_full = false;
  std::size_t first = 0;
  for (const SizeClass& each : classes) {
    if (bytes <= each.bytes)
      if (void* block = take(std::span(reserve).subspan(first, each.count))) return block;
    first += each.count;
  }
  return nullptr;
}

} // namespace hostcl::compiler
