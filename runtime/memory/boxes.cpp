#include "runtime/memory/boxes.hpp"

#include "runtime/queue/parallel.hpp"

#include <cstring>

namespace hostcl::runtime {

namespace {

/// Whether runs of `length` bytes that repeat with one pitch, from two offsets on, fit into each other's gaps.
bool fit_into_gaps(std::size_t a, std::size_t b, std::size_t length, std::size_t pitch) {
  const std::size_t x = a % pitch, y = b % pitch;
  const std::size_t distance = x > y ? x - y : y - x;
  return distance >= length && pitch - distance >= length;
}

} // namespace

bool overlap(const Box& a, const Box& b) {
  if (a.end() <= b.first || b.end() <= a.first) return false;
  if (a.extent != b.extent || a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
  return !fit_into_gaps(a.first, b.first, a.extent[0], a.row_pitch) &&
         !fit_into_gaps(a.first, b.first, a.slice_length(), a.slice_pitch);
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
  constexpr std::size_t parallel_bytes = 2 << 20, grain_bytes = 256 << 10;
  if (to_box.bytes() < parallel_bytes)
    copy_rows(0, rows * slices);
  else
    workers.for_ranges(0, rows * slices, grain_bytes / bytes + 1, copy_rows);
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
    return fail(CL_INVALID_VALUE, a.prefix, "slice_pitch is ", a.slice_pitch, ", less than region[1] rows, ",
                slice);
  if (a.slice_pitch % a.row_pitch)
    return fail(CL_INVALID_VALUE, a.prefix, "slice_pitch is ", a.slice_pitch, ", no multiple of ", a.prefix,
                "row_pitch, ", a.row_pitch);
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
    return fail(CL_INVALID_VALUE, "the region at ", arguments.prefix, "origin ends after byte ", result.end(),
                ", the memory object after byte ", size);
  return result;
}

} // namespace validate

} // namespace hostcl::runtime
