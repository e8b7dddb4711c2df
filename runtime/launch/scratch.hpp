#pragma once

// Each thread's own memory for the local memory and the contexts of the groups it runs.

#include "compiler/abi/launch.hpp"

#include <cstddef>

namespace hostcl::runtime {

/// `bytes` of the calling thread's scratch memory, uninitialised and aligned to abi::scratch_alignment, until
/// destroyed. Ranges of groups do not nest on a thread, so there is one block per thread, kept for the next
/// range unless it is very large.
class ScratchMemory {
public:
  /// @throws std::bad_alloc
  explicit ScratchMemory(std::size_t bytes);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  std::byte* data() const { return data_; }

private:
  std::byte* data_;
  bool is_apart_ = false; ///< from the block that the thread keeps
};

} // namespace hostcl::runtime
