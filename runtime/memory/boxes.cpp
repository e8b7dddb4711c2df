#include "runtime/memory/boxes.hpp"

#include "runtime/memory/copies.hpp"
#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

namespace {

/// Bytes that repeat with a pitch.
struct Run {
  std::size_t first, length;
};

/// Whether runs that repeat with one pitch fit into each other's gaps.
bool fit_into_gaps(Run a, Run b, std::size_t pitch) {
  a.first %= pitch;
  b.first %= pitch;
  if (a.first > b.first) std::swap(a, b);
  const std::size_t distance = b.first - a.first;
  return distance >= a.length && pitch - distance >= b.length;
}

/// Calls the body for all rows, on several threads if they are many bytes.
void for_rows(Workers& workers, const Box& box, RangeBody body) {
  constexpr std::size_t parallel_bytes = 2 << 20, grain_bytes = 256 << 10;
  const std::size_t rows = box.extent[1] * box.extent[2];
  if (box.bytes() < parallel_bytes)
    body(0, rows);
  else
    workers.for_ranges(0, rows, grain_bytes / box.extent[0] + 1, body);
}

} // namespace

bool overlap(const Box& a, const Box& b) {
  if (a.end() <= b.first || b.end() <= a.first) return false;
  if (a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
  return !fit_into_gaps({a.first, a.extent[0]}, {b.first, b.extent[0]}, a.row_pitch) &&
         !fit_into_gaps({a.first, a.slice_length()}, {b.first, b.slice_length()}, a.slice_pitch);
}

void copy_box(Workers& workers, std::byte* to, const Box& to_box, const std::byte* from,
              const Box& from_box) {
  const auto [bytes, rows, slices] = to_box.extent;
  to += to_box.first;
  from += from_box.first;
  if (to_box.is_dense() && from_box.is_dense()) {
    copy_bytes(workers, to, from, to_box.bytes());
    return;
  }
  auto copy_rows = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      const std::size_t slice = i / rows, row = i % rows;
      std::memcpy(to + slice * to_box.slice_pitch + row * to_box.row_pitch,
                  from + slice * from_box.slice_pitch + row * from_box.row_pitch, bytes);
    }
  };
  for_rows(workers, to_box, copy_rows);
}

void fill_box(Workers& workers, std::byte* to, const Box& box, std::span<const std::byte> pattern) {
  const auto [bytes, rows, slices] = box.extent;
  to += box.first;
  if (box.is_dense()) {
    fill_bytes(workers, to, pattern.data(), pattern.size(), box.bytes());
    return;
  }
  // The first row is the pattern of all others.
  fill_bytes(workers, to, pattern.data(), pattern.size(), bytes);
  auto copy_rows = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = std::max<std::uint64_t>(first, 1); i < last; ++i)
      std::memcpy(to + i / rows * box.slice_pitch + i % rows * box.row_pitch, to, bytes);
  };
  for_rows(workers, box, copy_rows);
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

Error beyond_addresses(const BoxArguments& a) {
  return fail(CL_INVALID_VALUE, "region (", a.region[0], ", ", a.region[1], ", ", a.region[2], ") at ",
              a.prefix, "origin (", a.origin[0], ", ", a.origin[1], ", ", a.origin[2], ") with ", a.prefix,
              "row_pitch ", a.row_pitch, " and ", a.prefix, "slice_pitch ", a.slice_pitch,
              " ends beyond the address space");
}

/// Fills in pitches that are 0 and checks those that are not.
Status complete_pitches(BoxArguments& a) {
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

Result<Box> box(const BoxArguments& given) {
  BoxArguments a = given;
  TRY(region(a.region));
  if (!a.origin) return fail(CL_INVALID_VALUE, a.prefix, "origin is NULL");
  TRY(complete_pitches(a));
  Box box{0, {a.region[0], a.region[1], a.region[2]}, a.row_pitch, a.slice_pitch};
  std::size_t end = 0;
  if (!multiply_add(a.origin[1], a.row_pitch, a.origin[0], box.first) ||
      !multiply_add(a.origin[2], a.slice_pitch, box.first, box.first) ||
      !multiply_add(a.region[2] - 1, a.slice_pitch, box.slice_length(), end) ||
      __builtin_add_overflow(end, box.first, &end))
    return beyond_addresses(a);
  return box;
}

Result<Box> box(const BoxArguments& arguments, std::size_t size) {
  TRY(Box result, box(arguments));
  if (result.end() > size)
    return fail(CL_INVALID_VALUE, "the region at ", arguments.prefix, "origin ends at byte ", result.end(),
                ", beyond the ", size, " bytes of the memory object");
  return result;
}

Status in_address_space(const void* host, const Box& box) {
  constexpr std::size_t most = std::size_t{1} << 56; // CPUs have 57 bits, and the upper half is the kernel's
  std::size_t last_row = 0, end = 0;
  const bool overflows = !multiply_add(box.extent[1] - 1, box.row_pitch, box.first, last_row) ||
                         !multiply_add(box.extent[2] - 1, box.slice_pitch, last_row, last_row) ||
                         __builtin_add_overflow(last_row, box.extent[0], &end);
  const auto first = reinterpret_cast<std::uintptr_t>(host);
  if (!overflows && first < most && end <= most - first) return {};
  return fail(CL_INVALID_VALUE, "the region in host memory at ptr ", host, ", with a row pitch of ",
              box.row_pitch, " and a slice pitch of ", box.slice_pitch,
              " bytes, ends beyond the address space");
}

} // namespace validate

} // namespace hostcl::runtime
