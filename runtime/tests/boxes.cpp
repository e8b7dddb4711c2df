// Boxes of memory: their arithmetic at the limits, and whether two of them overlap.

#include "runtime/memory/boxes.hpp"
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

  Result<Box> box(std::size_t size = largest) const {
    return validate::box({"src_", origin, region, row_pitch, slice_pitch}, size);
  }
  /// The sentence of the error; empty if there is none.
  std::string error(std::size_t size = largest) const {
    auto result = box(size);
    if (result.ok()) return {};
    CHECK(result.error().code() == CL_INVALID_VALUE);
    return std::string(result.error().sentence());
  }
};

std::vector<std::size_t> bytes_of(const Box& box) {
  std::vector<std::size_t> bytes;
  for (std::size_t z = 0; z < box.extent[2]; ++z)
    for (std::size_t y = 0; y < box.extent[1]; ++y)
      for (std::size_t x = 0; x < box.extent[0]; ++x)
        bytes.push_back(box.first + z * box.slice_pitch + y * box.row_pitch + x);
  return bytes;
}

bool share_a_byte(const Box& a, const Box& b) {
  std::vector<bool> in_a(a.end());
  for (std::size_t byte : bytes_of(a))
    in_a[byte] = true;
  for (std::size_t byte : bytes_of(b))
    if (byte < in_a.size() && in_a[byte]) return true;
  return false;
}

} // namespace

TEST_CASE("Box: it begins at its origin and ends with its last row", "[boxes]") {
  const Box box = Arguments().box().value();
  CHECK(box.first == 3 + 2 * 20 + 1 * 200);
  CHECK(box.end() == bytes_of(box).back() + 1);
  CHECK(box.bytes() == 60);
  CHECK_FALSE(box.is_dense());
}

TEST_CASE("Box: pitches of 0 leave no gaps", "[boxes]") {
  Arguments arguments;
  arguments.row_pitch = arguments.slice_pitch = 0;
  const Box box = arguments.box().value();
  CHECK(box.row_pitch == 5);
  CHECK(box.slice_pitch == 20);
  CHECK(box.is_dense());
}

TEST_CASE("Box: a row is dense, whatever the pitches", "[boxes]") {
  Arguments arguments;
  arguments.region[1] = arguments.region[2] = 1;
  CHECK(arguments.box().value().is_dense());
}

TEST_CASE("Box: it may end where the memory does, and no later", "[boxes]") {
  const Arguments arguments;
  const std::size_t end = arguments.box().value().end();
  CHECK(arguments.error(end).empty());
  CHECK(arguments.error(end - 1).find("src_origin") != std::string::npos);
}

TEST_CASE("Box: pitches, origins and regions that overflow are refused", "[boxes]") {
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

TEST_CASE("Box: pitches may be large where only one row or slice uses them", "[boxes]") {
  Arguments arguments;
  arguments.region[1] = arguments.region[2] = 1;
  arguments.origin[1] = arguments.origin[2] = 0;
  arguments.row_pitch = arguments.slice_pitch = largest;
  CHECK(arguments.box().value().end() == 8);
}

TEST_CASE("Box: a mistake is told with its argument, value and rule", "[boxes]") {
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

TEST_CASE("Boxes overlap exactly if they share a byte", "[boxes]") {
  std::mt19937 random(1);
  auto below = [&](std::size_t limit) { return random() % limit; };
  for (int i = 0; i < 200000; ++i) {
    Box a;
    a.extent = {1 + below(4), 1 + below(4), 1 + below(4)};
    a.row_pitch = a.extent[0] + below(4);
    a.slice_pitch = a.row_pitch * (a.extent[1] + below(3));
    a.first = below(200);
    Box b = a;
    b.first = below(200);
    if (overlap(a, b) == share_a_byte(a, b)) continue;
    FAIL("extent " << a.extent[0] << " " << a.extent[1] << " " << a.extent[2] << ", pitches " << a.row_pitch
                   << " " << a.slice_pitch << ", from " << a.first << " to " << b.first);
  }
}

TEST_CASE(
    "Boxes of different extents in the rows and slices of one image overlap exactly if they share a byte",
    "[boxes]") {
  std::mt19937 random(2);
  auto below = [&](std::size_t limit) { return random() % limit; };
  for (int i = 0; i < 100000; ++i) {
    const std::size_t sides[3] = {1 + below(6), 1 + below(5), 1 + below(4)};
    const std::size_t row = sides[0] + below(3), slice = row * (sides[1] + below(3));
    auto part = [&] {
      Box box{0, {1, 1, 1}, row, slice};
      const std::size_t steps[3] = {1, row, slice};
      for (std::size_t k = 0; k < 3; ++k) {
        box.extent[k] = 1 + below(sides[k]);
        box.first += below(sides[k] - box.extent[k] + 1) * steps[k];
      }
      return box;
    };
    const Box a = part(), b = part();
    REQUIRE(overlap(a, b) == share_a_byte(a, b));
  }
}

TEST_CASE("Boxes of different pitches overlap if their ends do", "[boxes]") {
  const Box a{0, {1, 4, 1}, 10, 40}, between{5, {1, 1, 1}, 1, 1}, after{31, {1, 1, 1}, 1, 1};
  CHECK(overlap(a, between));
  CHECK_FALSE(overlap(a, after));
}
