#pragma once

// Commands that move memory, and those that only take part in the order of a queue.

#include "runtime/memory/boxes.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

#include <array>
#include <cstddef>
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

/// Work without effect: markers, barriers, maps, migrations. It may keep buffers alive.
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
/// CL_MEM_COPY_OVERLAP
Status no_overlap(const void* to, const void* from, std::size_t bytes);

} // namespace validate

} // namespace hostcl::runtime
