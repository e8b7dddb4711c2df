#include "runtime/launch/scratch.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/support/thread_end.hpp"

#include <cstdlib>
#include <new>

namespace hostcl::runtime {

namespace {

/// A thread keeps a block of at most this size for later launches.
constexpr std::size_t kept_bytes = 8 << 20;

struct Block {
  std::byte* memory;
  std::size_t bytes;
  bool in_use;
};
constinit thread_local Block block{};

/// Frees the thread's block when the thread ends. Objects made after that allocate memory of their own.
void end_block() {
  std::free(block.memory);
  block = {.memory = nullptr, .bytes = 0, .in_use = true};
}

std::byte* allocate(std::size_t bytes) {
  bytes = abi::aligned(bytes, abi::scratch_alignment);
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(abi::scratch_alignment, bytes));
  if (!memory) throw std::bad_alloc();
  return memory;
}

} // namespace

ScratchMemory::ScratchMemory(std::size_t bytes) {
  const bool has_room = block.memory && block.bytes >= bytes;
  // Memory of its own: the block may be in use by a kernel that has called the driver, as printf() does; the
  // thread may be ending; or end_block() could not be registered, so that nothing would free the block.
  if (block.in_use || (!has_room && !at_thread_end<end_block>())) {
    is_separate_ = true;
    data_ = allocate(bytes + 1);
    return;
  }
  if (!has_room) {
    std::free(block.memory);
    block.memory = nullptr;
    std::size_t wanted = bytes < 4096 ? 4096 : bytes + bytes / 4;
    block.memory = allocate(wanted);
    block.bytes = wanted;
  }
  block.in_use = true;
  data_ = block.memory;
}

ScratchMemory::~ScratchMemory() {
  if (is_separate_) {
    std::free(data_);
    return;
  }
  block.in_use = false;
  if (block.bytes <= kept_bytes) return;
  std::free(block.memory);
  block.memory = nullptr;
  block.bytes = 0;
}

} // namespace hostcl::runtime
