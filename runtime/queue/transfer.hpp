#pragma once

// The work of commands that copy, fill or map memory, and of commands that only take part in the order of a
// queue.

#include "runtime/memory/memory.hpp"
#include "runtime/memory/rects.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// The memory object of class T that a command of the queue uses. CL_INVALID_CONTEXT, and the errors of
/// validate::usable_on().
template <class T>
Result<T&> memory_for(const Queue& queue, cl_mem handle) {
  TRY(T & memory, memory_in<T>(queue.context(), handle));
  TRY(validate::usable_on(queue.device(), memory));
  return memory;
}

/// Expected nanoseconds for copying or filling this many bytes.
std::uint64_t transfer_estimate(std::size_t bytes);

/// The memory objects that a command holds references to.
using Keep = std::array<Ref<Memory>, 2>;

/// Copies contiguous bytes.
class CopyWork final : public Work {
public:
  CopyWork(void* to, const void* from, std::size_t bytes, Keep keep = {})
      : to_(to), from_(from), bytes_(bytes), keep_(std::move(keep)) {}
  cl_int run(Queue& queue) override;
  std::span<const Ref<Memory>> memory() const override { return keep_; }
  void describe(timeline::Span& span) const override { span.argument("bytes", bytes_); }

private:
  void* to_;
  const void* from_;
  std::size_t bytes_;
  Keep keep_;
};

/// Copies a rectangle.
class CopyRectWork final : public Work {
public:
  /// @param to, from the start of the memory that contains the rectangle
  CopyRectWork(std::byte* to, const Rect& to_rect, const std::byte* from, const Rect& from_rect, Keep keep)
      : to_(to), from_(from), to_rect_(to_rect), from_rect_(from_rect), keep_(std::move(keep)) {}
  cl_int run(Queue& queue) override;
  std::span<const Ref<Memory>> memory() const override { return keep_; }
  void describe(timeline::Span& span) const override { span.argument("extent", to_rect_.extent); }

private:
  std::byte* to_;
  const std::byte* from_;
  Rect to_rect_, from_rect_;
  Keep keep_;
};

/// Fills contiguous bytes with a pattern.
class FillWork final : public Work {
public:
  static constexpr std::size_t max_pattern = 128;
  FillWork(void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes, Keep keep = {});
  cl_int run(Queue& queue) override;
  std::span<const Ref<Memory>> memory() const override { return keep_; }
  void describe(timeline::Span& span) const override { span.argument("bytes", bytes_); }

private:
  void* to_;
  std::size_t pattern_bytes_, bytes_;
  Keep keep_;
  alignas(16) std::array<std::byte, max_pattern> pattern_;
};

/// Fills a rectangle with a pattern.
class FillRectWork final : public Work {
public:
  /// @param pattern has the size of a texel or of a block, and divides the length of a row
  FillRectWork(std::byte* to, const Rect& rect, std::span<const std::byte> pattern, Keep keep);
  cl_int run(Queue& queue) override;
  std::span<const Ref<Memory>> memory() const override { return keep_; }
  void describe(timeline::Span& span) const override { span.argument("extent", rect_.extent); }

private:
  std::byte* to_;
  Rect rect_;
  std::size_t pattern_bytes_;
  Keep keep_;
  std::array<std::byte, FillWork::max_pattern> pattern_;
};

/// Maps a region of a memory object. The host can access the memory directly, as a rule, so the command only takes part
/// in the order of the queue; else (Memory::host_data()) it copies the region to where the host accesses it. The region
/// counts as mapped from the enqueue call on; if the command is not enqueued, or fails, it no longer does.
class MapWork final : public Work {
public:
  /// @param number set to the number of the region, for the caller
  MapWork(Memory& memory, const Rect& region, cl_map_flags flags, std::uint64_t& number);
  ~MapWork() override;
  MapWork(const MapWork&) = delete;

  bool is_valid() const { return number_ != 0; }
  Error error() const;
  cl_int run(Queue& queue) override;

private:
  Ref<Memory> memory_;
  Rect region_;
  cl_map_flags flags_;
  std::uint64_t number_; ///< number of the region, and 0 once the command has succeeded
};

/// Maps shared virtual memory that has to be mapped before the host accesses it. Only takes part in the
/// order.
class SvmMapWork final : public Work {
public:
  SvmMapWork(const void* memory, std::size_t bytes, bool writes)
      : memory_(static_cast<const std::byte*>(memory)), bytes_(bytes), writes_(writes) {}
  cl_int run(Queue&) override;

private:
  const std::byte* memory_;
  std::size_t bytes_;
  bool writes_;
};

/// Unmaps a region of a memory object. What the host has written elsewhere (Memory::host_data()) is copied to the object.
class UnmapWork final : public Work {
public:
  UnmapWork(Memory& memory, const Memory::Mapping& mapping) : memory_(memory), mapping_(mapping) {}
  cl_int run(Queue& queue) override;

private:
  Ref<Memory> memory_;
  Memory::Mapping mapping_;
};

/// Ends a map of shared virtual memory. Only takes part in the order.
class SvmUnmapWork final : public Work {
public:
  explicit SvmUnmapWork(const void* address) : address_(address) {}
  cl_int run(Queue&) override;

private:
  const void* address_;
};

/// Whether the host may write to a region that is mapped with these flags.
bool writes(cl_map_flags flags);
/// Expected nanoseconds for mapping or unmapping a region.
std::uint64_t map_estimate(const Memory& memory, const Rect& region);

/// Enqueues a command that maps a region of a memory object. @returns the region's address
Result<void*> submit_map(Queue& queue, Queue::Submission submission, Memory& memory, const Rect& region,
                         cl_map_flags flags);

/// Does nothing, for markers, barriers and migrations. It may hold references to memory objects.
class EmptyWork final : public Work {
public:
  explicit EmptyWork(std::vector<Ref<Memory>> keep = {}) : keep_(std::move(keep)) {}
  cl_int run(Queue&) override { return CL_COMPLETE; }

private:
  std::vector<Ref<Memory>> keep_;
};

namespace validate {

/// The pattern of a fill: not null, and its size a power of two up to 128.
Status fill_pattern(const void* pattern, std::size_t bytes);
/// A fill of memory: the pattern as above, and address and size multiples of the pattern's size.
Status fill(const void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes);
/// CL_MAP_READ and CL_MAP_WRITE, or CL_MAP_WRITE_INVALIDATE_REGION alone.
Status map_flags(cl_map_flags flags);
/// Whether the flags that the memory object was created with allow the host this access.
Status map_access(const Memory& memory, cl_map_flags flags);
/// Error: CL_MEM_COPY_OVERLAP.
Status no_overlap(const void* to, const void* from, std::size_t bytes);

} // namespace validate

} // namespace hostcl::runtime
