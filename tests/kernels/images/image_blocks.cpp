// Blocks of images that sub-groups share (cl_intel_subgroups).

#include "support/images.hpp"

#include <algorithm>
#include <cstring>

namespace {

constexpr cl_int width = 40, height = 6, items = 64;

/// Texels of four bytes with numbers of their own, as an image of unsigned bytes.
struct Blocks {
  Blocks() {
    for (cl_uint i = 0; i < width * height; ++i)
      texels.push_back(i * 2654435761U);
    image = test::make_image(session.context, {CL_RGBA, CL_UNSIGNED_INT8},
                             test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height),
                             CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, texels.data());
  }

  std::vector<cl_uint> contents() const {
    std::vector<cl_uint> result(width * height);
    const size_t origin[] = {0, 0, 0}, region[] = {width, height, 1};
    REQUIRE_CL(clEnqueueReadImage(session.queue, image, CL_TRUE, origin, region, 0, 0, result.data(), 0,
                                  nullptr, nullptr));
    return result;
  }
  cl_uint clamped(cl_int x, cl_int y) const {
    return texels[index(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1))];
  }
  static size_t index(cl_int x, cl_int y) { return static_cast<size_t>(y) * width + static_cast<size_t>(x); }

  test::Session session;
  std::vector<cl_uint> texels;
  test::Buffer image;
};

/// A kernel of which lane i of a sub-group has element i of a block that begins at c; `first` is that lane's item.
std::string kernel_of(const std::string& body, const std::string& access) {
  return "kernel void k(" + access +
         " image2d_t i, global uint4* o, int x, int y) { int g = get_global_id(0);"
         " int first = g - (int)get_sub_group_local_id(); int2 c = (int2)((first + x) * 4, y); " +
         body + " }";
}

} // namespace

TEST_CASE("Sub-groups read blocks of rows, and the edge outside", "[image_blocks]") {
  const Blocks blocks;
  for (const char* access : {"read_only", "read_write"}) {
    const auto kernel = blocks.session.kernel(
        kernel_of("o[g] = intel_sub_group_block_read4(i, c);", access).c_str(), "k", "-cl-std=CL3.0");
    for (const cl_int x : {0, 3, -5, -100})
      for (const cl_int y : {0, 1, -2, 4, 100}) {
        const auto results = blocks.session.buffer(items * sizeof(cl_uint4));
        test::set_arguments(kernel, blocks.image, results, x, y);
        blocks.session.run(kernel, items);
        const auto read = blocks.session.read<std::array<cl_uint, 4>>(results, items);
        std::size_t wrong = 0;
        for (cl_int g = 0; g < items; ++g)
          for (cl_int row = 0; row < 4; ++row)
            wrong += read[static_cast<size_t>(g)][static_cast<size_t>(row)] != blocks.clamped(g + x, y + row);
        INFO(access << " " << x << " " << y);
        CHECK(wrong == 0);
      }
  }
}

TEST_CASE("Sub-groups write blocks of rows, and nothing outside", "[image_blocks]") {
  for (const cl_int x : {0, -5})
    for (const cl_int y : {0, -1, 5}) {
      const Blocks blocks;
      const auto kernel = blocks.session.kernel(
          kernel_of("intel_sub_group_block_write2(i, c, (uint2)(g, g + 1000));", "write_only").c_str(), "k",
          "-cl-std=CL3.0");
      const auto unused = blocks.session.buffer(16);
      test::set_arguments(kernel, blocks.image, unused, x, y);
      blocks.session.run(kernel, items);
      std::vector<cl_uint> expected = blocks.texels;
      for (cl_int g = 0; g < items; ++g)
        for (cl_int row = 0; row < 2; ++row)
          if (g + x >= 0 && g + x < width && y + row >= 0 && y + row < height)
            expected[Blocks::index(g + x, y + row)] = static_cast<cl_uint>(g + row * 1000);
      CAPTURE(x, y);
      CHECK(blocks.contents() == expected);
    }
}

TEST_CASE("Blocks of bytes, shorts and longs hold the same memory", "[image_blocks]") {
  const Blocks blocks;
  const struct {
    const char *suffix, *type;
    size_t bytes;
  } elements[] = {{"_uc", "uchar", 1}, {"_us", "ushort", 2}, {"_ui", "uint", 4}, {"_ul", "ulong", 8}};
  for (const auto& [suffix, type, bytes] : elements) {
    const std::string source = std::string("kernel void k(read_only image2d_t i, global ") + type +
                               "* o) { int g = get_global_id(0); o[g] = intel_sub_group_block_read" + suffix +
                               "(i, (int2)((g - (int)get_sub_group_local_id()) * " + std::to_string(bytes) +
                               ", 2)); }";
    const auto kernel = blocks.session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
    const size_t count = width * 4 / bytes;
    const auto results = blocks.session.buffer(width * 4);
    test::set_arguments(kernel, blocks.image, results);
    blocks.session.run(kernel, count);
    const auto read = blocks.session.read<cl_uint>(results, width);
    INFO(type);
    CHECK(std::equal(read.begin(), read.end(), blocks.texels.begin() + 2 * width));
  }
}
