// Levels of detail in kernels (cl_khr_mipmap_image, cl_khr_mipmap_image_writes).

#include "support/images.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr size_t side = 16;
constexpr cl_uint levels = 5;

const char* const source = R"(
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
kernel void put(write_only image2d_t i) {
  int2 c = (int2)(get_global_id(0), get_global_id(1));
  for (int level = -1; level < 6; ++level)
    if (level >= 0 && level < get_image_num_mip_levels(i)) write_imagef(i, c, level, (float4)(level, c.x, c.y, 1));
}
kernel void get(read_only image2d_t i, sampler_t s, global const float* lod, global float4* o) {
  size_t g = get_global_id(0);
  o[g] = read_imagef(i, s, (float2)(0.3f, 0.8f), lod[g]);
}
kernel void gradient(read_only image2d_t i, sampler_t s, global const float* step, global float4* o) {
  size_t g = get_global_id(0);
  o[g] = read_imagef(i, s, (float2)(0.3f, 0.8f), (float2)(step[g], 0), (float2)(0, step[g] / 2));
}
)";

struct Mipmap {
  Mipmap() {
    cl_image_desc description = test::image_of(CL_MEM_OBJECT_IMAGE2D, side, side);
    description.num_mip_levels = levels;
    image = test::make_image(session.context, {CL_RGBA, CL_FLOAT}, description, CL_MEM_READ_WRITE);
    program = session.build(source, "-cl-std=CL3.0");
    const auto put = session.kernel(program, "put");
    test::set_arguments(put, image);
    session.run(put, {side, side});
  }

  test::Sampler sampler(cl_filter_mode between_levels, float least = 0, float greatest = 1000) const {
    const auto bits = [](float x) {
      cl_sampler_properties value = 0;
      std::memcpy(&value, &x, sizeof x);
      return value;
    };
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                CL_TRUE,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                CL_ADDRESS_CLAMP_TO_EDGE,
                                                CL_SAMPLER_FILTER_MODE,
                                                CL_FILTER_NEAREST,
                                                CL_SAMPLER_MIP_FILTER_MODE,
                                                between_levels,
                                                CL_SAMPLER_LOD_MIN,
                                                bits(least),
                                                CL_SAMPLER_LOD_MAX,
                                                bits(greatest),
                                                0};
    cl_int error = 1;
    test::Sampler result(clCreateSamplerWithProperties(session.context, properties, &error));
    REQUIRE_CL(error);
    return result;
  }

  std::vector<std::array<cl_float, 4>> read(const char* kernel_name, cl_sampler sampler,
                                            const std::vector<float>& at) const {
    const auto kernel = session.kernel(program, kernel_name);
    const auto arguments = session.buffer(at), results = session.buffer(at.size() * sizeof(cl_float4));
    test::set_arguments(kernel, image, sampler, arguments, results);
    session.run(kernel, at.size());
    return session.read<std::array<cl_float, 4>>(results, at.size());
  }

  test::Session session;
  test::Buffer image;
  test::Program program;
};

} // namespace

TEST_CASE("Kernels write each level of an image by its number", "[image_levels]") {
  const Mipmap mipmap;
  for (size_t level = 0; level < levels; ++level) {
    const size_t size = side >> level, origin[] = {0, 0, level}, region[] = {size, size, 1};
    std::vector<std::array<float, 4>> texels(size * size);
    REQUIRE_CL(clEnqueueReadImage(mipmap.session.queue, mipmap.image, CL_TRUE, origin, region, 0, 0,
                                  texels.data(), 0, nullptr, nullptr));
    const auto number = static_cast<float>(level);
    for (size_t y = 0; y < size; ++y)
      for (size_t x = 0; x < size; ++x)
        CHECK(
            (texels[y * size + x] == std::array{number, static_cast<float>(x), static_cast<float>(y), 1.0f}));
  }
}

TEST_CASE("Kernels read the nearest level, and the texel there", "[image_levels]") {
  const Mipmap mipmap;
  const std::vector<float> lods = {-1, 0, 0.4f, 0.6f, 1, 2.4f, 2.6f, 3, 4, 4.6f, 99, INFINITY, -INFINITY};
  const std::vector<float> expected = {0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 4, 0};
  const auto results = mipmap.read("get", mipmap.sampler(CL_FILTER_NEAREST), lods);
  for (size_t i = 0; i < lods.size(); ++i) {
    const float size = side / std::exp2(expected[i]);
    CAPTURE(lods[i]);
    CHECK((results[i] == std::array{expected[i], std::floor(0.3f * size), std::floor(0.8f * size), 1.0f}));
  }
}

TEST_CASE("Kernels filter between levels, within the sampler's limits", "[image_levels]") {
  const Mipmap mipmap;
  const std::vector<float> lods = {-1, 0, 0.25f, 1.5f, 3.75f, 4, 7};
  const auto all = mipmap.read("get", mipmap.sampler(CL_FILTER_LINEAR), lods);
  const auto some = mipmap.read("get", mipmap.sampler(CL_FILTER_LINEAR, 0.5f, 2.25f), lods);
  for (size_t i = 0; i < lods.size(); ++i) {
    CAPTURE(lods[i]);
    CHECK(all[i][0] == std::clamp(lods[i], 0.0f, 4.0f));
    CHECK(some[i][0] == std::clamp(lods[i], 0.5f, 2.25f));
  }
}

TEST_CASE("Gradients choose the level where their longer step is a texel", "[image_levels]") {
  const Mipmap mipmap;
  const auto results = mipmap.read("gradient", mipmap.sampler(CL_FILTER_NEAREST),
                                   {0, 1.0f / 64, 1.0f / 16, 1.0f / 8, -1.0f / 8, 1.0f / 4, 1.0f / 2, 1, 5});
  const std::vector<float> expected = {0, 0, 0, 1, 1, 2, 3, 4, 4};
  for (size_t i = 0; i < expected.size(); ++i)
    CHECK(results[i][0] == expected[i]);
}

TEST_CASE("Reads without a level take the first", "[image_levels]") {
  const Mipmap mipmap;
  const auto kernel = mipmap.session.kernel(
      "kernel void k(read_only image2d_t i, global float4* o) { *o = read_imagef(i, (int2)(11, 7)); }", "k",
      "-cl-std=CL3.0");
  const auto result = mipmap.session.buffer(sizeof(cl_float4));
  test::set_arguments(kernel, mipmap.image, result);
  mipmap.session.run(kernel, 1);
  CHECK((mipmap.session.read<float>(result, 4) == std::vector<float>{0, 11, 7, 1}));
}
