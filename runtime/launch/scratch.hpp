#pragma once

// Memory of a thread for the work-groups that it runs: their local memory and the thread context.

#include "compiler/abi/launch.hpp"

#include <cstddef>

namespace hostcl::runtime {

/// `bytes` of uninitialised memory, aligned to abi::scratch_alignment, as long as the object exists. A thread
/// keeps one block for the next range of work-groups, unless the block is very large. Ranges rarely nest on a
/// thread; an inner one gets memory of its own.
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
  bool is_separate_ = false; ///< whether data_ is not the block that the thread keeps
};

} // namespace hostcl::runtime
