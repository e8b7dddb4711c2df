#pragma once

// Commands that move memory, and those that only take part in the order of a queue.

#include "runtime/memory/boxes.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// Expected nanoseconds for writing this many bytes.
std::uint64_t transfer_estimate(std::size_t bytes);

/// Buffers that a command keeps alive.
using Keep = std::array<Ref<Memory>, 2>;

class CopyWork final : public Work {
public:
  CopyWork(void* to, const void* from, std::size_t bytes, Keep keep = {})
      : to_(to), from_(from), bytes_(bytes), keep_(std::move(keep)) {}
  cl_int run(Queue& queue) override;
  void describe(timeline::Span& span) const override { span.argument("bytes", bytes_); }

private:
  void* to_;
  const void* from_;
  std::size_t bytes_;
  Keep keep_;
};

class CopyBoxWork final : public Work {
public:
  /// @param to, from the memory that the boxes are in
  CopyBoxWork(std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box, Keep keep)
      : to_(to), from_(from), to_box_(to_box), from_box_(from_box), keep_(std::move(keep)) {}
  cl_int run(Queue& queue) override;
  void describe(timeline::Span& span) const override { span.argument("extent", to_box_.extent); }

private:
  std::byte* to_;
  const std::byte* from_;
  Box to_box_, from_box_;
  Keep keep_;
};

class FillWork final : public Work {
public:
  static constexpr std::size_t max_pattern = 128;
  FillWork(void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes, Keep keep = {});
  cl_int run(Queue& queue) override;
  void describe(timeline::Span& span) const override { span.argument("bytes", bytes_); }

private:
  void* to_;
  std::size_t pattern_bytes_, bytes_;
  Keep keep_;
  alignas(16) std::array<std::byte, max_pattern> pattern_;
};

class FillBoxWork final : public Work {
public:
  /// @param pattern of a texel's or a block's size, which divides a row's
  FillBoxWork(std::byte* to, const Box& box, std::span<const std::byte> pattern, Keep keep);
  cl_int run(Queue& queue) override;
  void describe(timeline::Span& span) const override { span.argument("extent", box_.extent); }

private:
  std::byte* to_;
  Box box_;
  std::size_t pattern_bytes_;
  Keep keep_;
  std::array<std::byte, FillWork::max_pattern> pattern_;
};

/// The memory is the host's already; the command only takes part in the order. The region counts as mapped
/// from the call on, and no longer if the command is not enqueued or fails.
class MapWork final : public Work {
public:
  /// @param number set to that of the region, for the caller
  MapWork(Memory& memory, const Box& region, bool writes, std::uint64_t& number);
  ~MapWork() override;
  MapWork(const MapWork&) = delete;

  bool is_valid() const { return number_ != 0; }
  Error error() const;
  cl_int run(Queue& queue) override;

private:
  Ref<Memory> memory_;
  Box region_;
  bool writes_;
  std::uint64_t number_; ///< of the region, until the command has succeeded
};

/// The same for shared virtual memory that has to be mapped.
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

/// Ends a map, also in the order alone.
class UnmapWork final : public Work {
public:
  explicit UnmapWork(const void* address, Ref<Memory> keep = {})
      : address_(address), keep_(std::move(keep)) {}
  cl_int run(Queue&) override;

private:
  const void* address_;
  Ref<Memory> keep_;
};

/// Whether the host may write to a region that it maps so.
bool writes(cl_map_flags flags);

/// Maps a region of a memory object. @returns its address
Result<void*> submit_map(Queue& queue, const Queue::Submission& submission, Memory& memory, const Box& region,
                         cl_map_flags flags);

/// Work without effect: markers, barriers, migrations. It may keep buffers alive.
class EmptyWork final : public Work {
public:
  explicit EmptyWork(std::vector<Ref<Memory>> keep = {}) : keep_(std::move(keep)) {}
  cl_int run(Queue&) override { return CL_COMPLETE; }

private:
  std::vector<Ref<Memory>> keep_;
};

namespace validate {

/// Pattern of a fill: sizes are the powers of two up to 128.
Status fill_pattern(const void* pattern, std::size_t bytes);
/// A fill of memory at an address, which has to be aligned as the pattern.
Status fill(const void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes);
/// CL_MAP_READ with CL_MAP_WRITE, or CL_MAP_WRITE_INVALIDATE_REGION alone.
Status map_flags(cl_map_flags flags);
/// Whether the host may access the object as such flags say.
Status map_access(const Memory& memory, cl_map_flags flags);
/// CL_MEM_COPY_OVERLAP
Status no_overlap(const void* to, const void* from, std::size_t bytes);

} // namespace validate

} // namespace hostcl::runtime
