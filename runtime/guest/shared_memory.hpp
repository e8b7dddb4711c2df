#pragma once

// Memory that the application and a guest process (guest.hpp) map at the same addresses, so that pointers mean the same
// in both processes. A SharedMemory is one file in memory (memfd_create()). Both processes map the whole file before
// the first allocation, so no allocation needs a message to the guest; Linux provides each page when it is first
// touched.
//
// The pages of freed allocations are kept for later allocations, because new pages cost both processes page faults.
// Linux cannot take kept pages back when it needs memory (a file has no MADV_FREE). So all kept pages are given back to
// Linux when they amount to more than 1/64 of the memory.

#include "compiler/isolation/file_descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

namespace hostcl::runtime {

class SharedMemory {
public:
  /// @param bytes a multiple of the page size: the most that all allocations together may need, with fragmentation
  /// @returns null, with the reason in errno, if Linux does not provide that many addresses, or no files in memory
  static std::unique_ptr<SharedMemory> create(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;

  /// Allocates memory, which is zero if no earlier allocation has used it. At least one byte lies between the end of an
  /// allocation and the next allocation.
  /// @param alignment a power of two
  /// @param from, to the part of this memory in which the allocation must lie, in bytes from begin()
  /// @returns null if there is no room, and in a child of fork(), which shares the memory with its parent
  std::byte* allocate(std::size_t bytes, std::size_t alignment, std::size_t from, std::size_t to);
  std::byte* allocate(std::size_t bytes, std::size_t alignment) {
    return allocate(bytes, alignment, 0, bytes_);
  }
  /// Does nothing for null, and in a child of fork().
  void free(std::byte* memory) noexcept;

  /// Whether all bytes of a range are in this memory, allocated or not; they can then be read without a fault.
  bool contains(const void* first, std::size_t bytes = 1) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(first) - reinterpret_cast<std::uintptr_t>(begin_);
    return offset < bytes_ && bytes <= bytes_ - offset;
  }

  /// Whether the file has over 64 MiB more than the allocations and the kept pages. If so, a guest has written to
  /// memory that is not allocated.
  bool holds_too_much() const;
  /// Gives all pages that are not allocated back to Linux.
  void trim() noexcept;

  /// Whether the calling process has created this memory, and is not a child of fork().
  bool is_own() const { return owner_ == getpid(); }

  std::byte* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  const FileDescriptor& file() const { return file_; }

private:
  using Gaps = std::set<std::pair<std::size_t, std::size_t>>; ///< sizes with offsets
  /// An allocation, or a gap between allocations.
  struct Block {
    std::size_t bytes;
    Gaps* gaps; ///< the list of a gap; null for an allocation
    Gaps::node_type node =
        {}; ///< for an allocation: the element for a list of gaps, so that free() need not allocate it
  };
  using Blocks = std::map<std::size_t, Block>; ///< by offset

  SharedMemory(FileDescriptor file, std::byte* begin, std::size_t bytes);
  struct Request {
    std::size_t bytes, alignment, from, to;
  };
  std::byte* take(const Request& request);
  std::byte* take(Gaps& gaps, const Request& request);
  void split(Blocks::iterator gap, std::size_t bytes);
  void join(Blocks::iterator block, Gaps::node_type node, Gaps& gaps) noexcept;
  void give_back_kept() noexcept;
  void give_back(std::size_t first, std::size_t bytes) noexcept;

  const pid_t owner_ = getpid();
  FileDescriptor file_;
  std::byte* begin_;
  std::size_t bytes_;
  std::mutex mutex_; ///< guards the members below
  Blocks blocks_;    ///< cover the whole memory
  Gaps new_, kept_;  ///< lists of gaps: without pages, and with kept pages
  std::size_t kept_bytes_ = 0;
  std::atomic<std::size_t> used_bytes_ = 0; ///< of allocations and kept gaps
};

} // namespace hostcl::runtime
