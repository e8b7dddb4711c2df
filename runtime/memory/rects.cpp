#include "runtime/memory/rects.hpp"

#include "runtime/memory/copies.hpp"
#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

namespace {

/// A run of contiguous bytes that repeats at a distance of the pitch.
struct Run {
  std::size_t first, length;
};

/// Whether two runs that repeat at the same distance share no byte, because each run lies in the gaps of the other.
bool fit_into_gaps(Run a, Run b, std::size_t pitch) {
  a.first %= pitch;
  b.first %= pitch;
  if (a.first > b.first) std::swap(a, b);
  const std::size_t distance = b.first - a.first;
  return distance >= a.length && pitch - distance >= b.length;
}

/// Calls the body for all rows, on several threads if the rectangle is large.
void for_rows(Workers& workers, const Rect& rect, RangeBody body) {
  constexpr std::size_t parallel_bytes = 2 << 20, grain_bytes = 256 << 10;
  const std::size_t rows = rect.extent[1] * rect.extent[2];
  if (rect.bytes() < parallel_bytes)
    body(0, rows);
  else
    workers.for_ranges(0, rows, grain_bytes / rect.extent[0] + 1, body);
}

} // namespace

bool overlap(const Rect& a, const Rect& b) {
  if (a.end() <= b.first || b.end() <= a.first) return false;
  if (a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
  return !fit_into_gaps({a.first, a.extent[0]}, {b.first, b.extent[0]}, a.row_pitch) &&
         !fit_into_gaps({a.first, a.slice_length()}, {b.first, b.slice_length()}, a.slice_pitch);
}

void copy_rect(Workers& workers, std::byte* to, const Rect& to_rect, const std::byte* from,
               const Rect& from_rect) {
  const auto [bytes, rows, slices] = to_rect.extent;
  to += to_rect.first;
  from += from_rect.first;
  if (to_rect.is_dense() && from_rect.is_dense()) {
    copy_bytes(workers, to, from, to_rect.bytes());
    return;
  }
  auto copy_rows = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      const std::size_t slice = i / rows, row = i % rows;
      std::memcpy(to + slice * to_rect.slice_pitch + row * to_rect.row_pitch,
                  from + slice * from_rect.slice_pitch + row * from_rect.row_pitch, bytes);
    }
  };
  for_rows(workers, to_rect, copy_rows);
}

void fill_rect(Workers& workers, std::byte* to, const Rect& rect, std::span<const std::byte> pattern) {
  const auto [bytes, rows, slices] = rect.extent;
  to += rect.first;
  if (rect.is_dense()) {
    fill_bytes(workers, to, pattern.data(), pattern.size(), rect.bytes());
    return;
  }
  // The first row is the pattern of all other rows.
  fill_bytes(workers, to, pattern.data(), pattern.size(), bytes);
  auto copy_rows = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = std::max<std::uint64_t>(first, 1); i < last; ++i)
      std::memcpy(to + i / rows * rect.slice_pitch + i % rows * rect.row_pitch, to, bytes);
  };
  for_rows(workers, rect, copy_rows);
}

namespace validate {

namespace {

/// a * b + c
bool multiply_add(std::size_t a, std::size_t b, std::size_t c, std::size_t& result) {
  return !__builtin_mul_overflow(a, b, &result) && !__builtin_add_overflow(result, c, &result);
}

Status region(const std::size_t* region) {
  if (!region) return fail(CL_INVALID_VALUE, "region is NULL");
  for (int i = 0; i < 3; ++i)
    if (!region[i]) return fail(CL_INVALID_VALUE, "region[", i, "] is 0");
  return {};
}

Error beyond_addresses(const RectArguments& a) {
  return fail(CL_INVALID_VALUE, "region (", a.region[0], ", ", a.region[1], ", ", a.region[2], ") at ",
              a.prefix, "origin (", a.origin[0], ", ", a.origin[1], ", ", a.origin[2], ") with ", a.prefix,
              "row_pitch ", a.row_pitch, " and ", a.prefix, "slice_pitch ", a.slice_pitch,
              " ends beyond the address space");
}

/// Sets pitches that are 0 to their defaults, and checks the others.
Status complete_pitches(RectArguments& a) {
  if (a.row_pitch == 0) a.row_pitch = a.region[0];
  if (a.row_pitch < a.region[0])
    return fail(CL_INVALID_VALUE, a.prefix, "row_pitch is ", a.row_pitch, ", less than region[0], ",
                a.region[0]);
  std::size_t slice = 0;
  if (!multiply_add(a.row_pitch, a.region[1], 0, slice)) return beyond_addresses(a);
  if (a.slice_pitch == 0) a.slice_pitch = slice;
  if (a.slice_pitch < slice)
    return fail(CL_INVALID_VALUE, a.prefix, "slice_pitch is ", a.slice_pitch,
                ", less than region[1] * row_pitch, ", slice);
  if (a.slice_pitch % a.row_pitch)
    return fail(CL_INVALID_VALUE, a.prefix, "slice_pitch is ", a.slice_pitch, ", not a multiple of ",
                a.prefix, "row_pitch, ", a.row_pitch);
  return {};
}

} // namespace

Result<Rect> rect(const RectArguments& given) {
  RectArguments a = given;
  TRY(region(a.region));
  if (!a.origin) return fail(CL_INVALID_VALUE, a.prefix, "origin is NULL");
  TRY(complete_pitches(a));
  Rect rect{0, {a.region[0], a.region[1], a.region[2]}, a.row_pitch, a.slice_pitch};
  std::size_t end = 0;
  if (!multiply_add(a.origin[1], a.row_pitch, a.origin[0], rect.first) ||
      !multiply_add(a.origin[2], a.slice_pitch, rect.first, rect.first) ||
      !multiply_add(a.region[2] - 1, a.slice_pitch, rect.slice_length(), end) ||
      __builtin_add_overflow(end, rect.first, &end))
    return beyond_addresses(a);
  return rect;
}

Result<Rect> rect(const RectArguments& arguments, std::size_t size) {
  TRY(Rect result, rect(arguments));
  if (result.end() > size)
    return fail(CL_INVALID_VALUE, "the region at ", arguments.prefix, "origin ends at byte ", result.end(),
                ", beyond the ", size, " bytes of the memory object");
  return result;
}

Status in_address_space(const void* host, const Rect& rect) {
  // User-space addresses have 56 bits at most; Linux has the upper half of the 57 bits of the CPU.
  constexpr std::size_t most = std::size_t{1} << 56;
  std::size_t last_row = 0, end = 0;
  const bool overflows = !multiply_add(rect.extent[1] - 1, rect.row_pitch, rect.first, last_row) ||
                         !multiply_add(rect.extent[2] - 1, rect.slice_pitch, last_row, last_row) ||
                         __builtin_add_overflow(last_row, rect.extent[0], &end);
  const auto first = reinterpret_cast<std::uintptr_t>(host);
  if (!overflows && first < most && end <= most - first) return {};
  return fail(CL_INVALID_VALUE, "the region in host memory at ptr ", host, ", with a row pitch of ",
              rect.row_pitch, " and a slice pitch of ", rect.slice_pitch,
              " bytes, ends beyond the address space");
}

} // namespace validate

} // namespace hostcl::runtime
