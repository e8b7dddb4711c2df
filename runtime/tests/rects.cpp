// Rectangles of memory: their arithmetic at the limits, and whether two of them overlap.

#include "runtime/memory/rects.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace hostcl::runtime;

namespace {

constexpr std::size_t largest = SIZE_MAX;

/// Arguments of a call without mistakes, for tests that change one of them.
struct Arguments {
  std::size_t origin[3] = {3, 2, 1};
  std::size_t region[3] = {5, 4, 3};
  std::size_t row_pitch = 20, slice_pitch = 200;

  Result<Rect> rect(std::size_t size = largest) const {
    return validate::rect({"src_", origin, region, row_pitch, slice_pitch}, size);
  }
  /// The sentence of the error; empty if there is none.
  std::string error(std::size_t size = largest) const {
    auto result = rect(size);
    if (result.ok()) return {};
    CHECK(result.error().code() == CL_INVALID_VALUE);
    return std::string(result.error().sentence());
  }
};

std::vector<std::size_t> bytes_of(const Rect& rect) {
  std::vector<std::size_t> bytes;
  for (std::size_t z = 0; z < rect.extent[2]; ++z)
    for (std::size_t y = 0; y < rect.extent[1]; ++y)
      for (std::size_t x = 0; x < rect.extent[0]; ++x)
        bytes.push_back(rect.first + z * rect.slice_pitch + y * rect.row_pitch + x);
  return bytes;
}

bool share_a_byte(const Rect& a, const Rect& b) {
  std::vector<bool> in_a(a.end());
  for (std::size_t byte : bytes_of(a))
    in_a[byte] = true;
  for (std::size_t byte : bytes_of(b))
    if (byte < in_a.size() && in_a[byte]) return true;
  return false;
}

} // namespace

TEST_CASE("Rectangle: it begins at its origin and ends with its last row", "[rects]") {
  const Rect rect = Arguments().rect().value();
  CHECK(rect.first == 3 + 2 * 20 + 1 * 200);
  CHECK(rect.end() == bytes_of(rect).back() + 1);
  CHECK(rect.bytes() == 60);
  CHECK_FALSE(rect.is_dense());
}

TEST_CASE("Rectangle: pitches of 0 leave no gaps", "[rects]") {
  Arguments arguments;
  arguments.row_pitch = arguments.slice_pitch = 0;
  const Rect rect = arguments.rect().value();
  CHECK(rect.row_pitch == 5);
  CHECK(rect.slice_pitch == 20);
  CHECK(rect.is_dense());
}

TEST_CASE("Rectangle: a row is dense, whatever the pitches", "[rects]") {
  Arguments arguments;
  arguments.region[1] = arguments.region[2] = 1;
  CHECK(arguments.rect().value().is_dense());
}

TEST_CASE("Rectangle: it may end where the memory does, and no later", "[rects]") {
  const Arguments arguments;
  const std::size_t end = arguments.rect().value().end();
  CHECK(arguments.error(end).empty());
  CHECK(arguments.error(end - 1).find("src_origin") != std::string::npos);
}

TEST_CASE("Rectangle: pitches, origins and regions that overflow are refused", "[rects]") {
  auto refuses = [](auto change) {
    Arguments arguments;
    change(arguments);
    CHECK(arguments.error().find("beyond the address space") != std::string::npos);
  };
  refuses([](Arguments& a) {
    a.row_pitch = largest;
    a.slice_pitch = 0;
  });
  refuses([](Arguments& a) {
    a.row_pitch = largest / 4 + 1;
    a.slice_pitch = 0;
  });
  refuses([](Arguments& a) { a.slice_pitch = largest / 20 * 20; });
  refuses([](Arguments& a) { a.slice_pitch = largest / 2 / 20 * 20; });
  refuses([](Arguments& a) { a.origin[0] = largest; });
  refuses([](Arguments& a) { a.origin[1] = largest; });
  refuses([](Arguments& a) { a.origin[2] = largest; });
  refuses([](Arguments& a) { a.region[1] = largest; });
  refuses([](Arguments& a) { a.region[2] = largest; });
}

TEST_CASE("Rectangle: pitches may be large where only one row or slice uses them", "[rects]") {
  Arguments arguments;
  arguments.region[1] = arguments.region[2] = 1;
  arguments.origin[1] = arguments.origin[2] = 0;
  arguments.row_pitch = arguments.slice_pitch = largest;
  CHECK(arguments.rect().value().end() == 8);
}

TEST_CASE("Rectangle: a mistake is told with its argument, value and rule", "[rects]") {
  Arguments arguments;
  arguments.slice_pitch = 201;
  CHECK(arguments.error() == "src_slice_pitch is 201, not a multiple of src_row_pitch, 20");
  arguments.slice_pitch = 60;
  CHECK(arguments.error() == "src_slice_pitch is 60, less than region[1] * row_pitch, 80");
  arguments.row_pitch = 4;
  CHECK(arguments.error() == "src_row_pitch is 4, less than region[0], 5");
  arguments.region[2] = 0;
  CHECK(arguments.error() == "region[2] is 0");
}

TEST_CASE("Rectangles overlap exactly if they share a byte", "[rects]") {
  std::mt19937 random(1);
  auto below = [&](std::size_t limit) { return random() % limit; };
  for (int i = 0; i < 200000; ++i) {
    Rect a;
    a.extent = {1 + below(4), 1 + below(4), 1 + below(4)};
    a.row_pitch = a.extent[0] + below(4);
    a.slice_pitch = a.row_pitch * (a.extent[1] + below(3));
    a.first = below(200);
    Rect b = a;
    b.first = below(200);
    if (overlap(a, b) == share_a_byte(a, b)) continue;
    FAIL("extent " << a.extent[0] << " " << a.extent[1] << " " << a.extent[2] << ", pitches " << a.row_pitch
                   << " " << a.slice_pitch << ", from " << a.first << " to " << b.first);
  }
}

TEST_CASE(
    "Boxes of different extents in the rows and slices of one image overlap exactly if they share a byte",
    "[rects]") {
  std::mt19937 random(2);
  auto below = [&](std::size_t limit) { return random() % limit; };
  for (int i = 0; i < 100000; ++i) {
    const std::size_t sides[3] = {1 + below(6), 1 + below(5), 1 + below(4)};
    const std::size_t row = sides[0] + below(3), slice = row * (sides[1] + below(3));
    auto part = [&] {
      Rect rect{0, {1, 1, 1}, row, slice};
      const std::size_t steps[3] = {1, row, slice};
      for (std::size_t k = 0; k < 3; ++k) {
        rect.extent[k] = 1 + below(sides[k]);
        rect.first += below(sides[k] - rect.extent[k] + 1) * steps[k];
      }
      return rect;
    };
    const Rect a = part(), b = part();
    REQUIRE(overlap(a, b) == share_a_byte(a, b));
  }
}

TEST_CASE("Rectangles of different pitches overlap if their ends do", "[rects]") {
  const Rect a{0, {1, 4, 1}, 10, 40}, between{5, {1, 1, 1}, 1, 1}, after{31, {1, 1, 1}, 1, 1};
  CHECK(overlap(a, between));
  CHECK_FALSE(overlap(a, after));
}
