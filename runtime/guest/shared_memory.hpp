#pragma once

// Memory that an application and a guest process (guest.hpp) map at the same addresses, so that pointers mean the same
// in both. It is one file in memory (memfd_create()), whose whole size is reserved in both processes before the first
// use; Linux provides a page when it is first touched. So no allocation needs a message to the guest.

#include "compiler/isolation/file_descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace hostcl::runtime {

class SharedMemory {
public:
  /// @param bytes a multiple of the page size: the sum of all allocations, and what fragmentation wastes
  /// @returns null if Linux does not provide that many addresses, or no files in memory
  static std::unique_ptr<SharedMemory> create(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;

  /// Memory that is zero if no earlier allocation has used it. @param alignment a power of two
  /// @param from, to the part of this memory in which it must lie, in bytes from the beginning
  /// @returns null if there is no room
  std::byte* allocate(std::size_t bytes, std::size_t alignment, std::size_t from, std::size_t to);
  std::byte* allocate(std::size_t bytes, std::size_t alignment) {
    return allocate(bytes, alignment, 0, bytes_);
  }
  /// Gives the whole pages of an allocation back to Linux. Does nothing for null.
  void free(std::byte* memory) noexcept;

  /// Whether all bytes of a range are in this memory, allocated or not; they can then be read without a fault.
  bool contains(const void* first, std::size_t bytes = 1) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(first) - reinterpret_cast<std::uintptr_t>(begin_);
    return offset < bytes_ && bytes <= bytes_ - offset;
  }

  /// Whether Linux provides clearly more pages than allocations have: a guest has written to memory that is not allocated.
  bool holds_too_much() const;
  /// Gives pages that are not allocated back to Linux.
  void trim() noexcept;

  std::byte* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  const FileDescriptor& file() const { return file_; }

private:
  SharedMemory(FileDescriptor file, std::byte* begin, std::size_t bytes);
  void punch(std::size_t first, std::size_t bytes) noexcept;

  FileDescriptor file_;
  std::byte* begin_;
  std::size_t bytes_;
  std::mutex mutex_;                          ///< guards the members below
  std::map<std::size_t, std::size_t> gaps_;   ///< ranges without an allocation: sizes by offset
  std::map<std::size_t, std::size_t> in_use_; ///< allocations: sizes by offset
  std::atomic<std::size_t> used_ = 0;         ///< sum of the sizes of allocations
};

} // namespace hostcl::runtime
