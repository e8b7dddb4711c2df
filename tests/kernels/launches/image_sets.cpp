// One kernel and images of all formats: code for the first of them, then code that asks the image. Both read what
// code of a program for that format alone reads.

#include "support/image_model.hpp"
#include "support/images.hpp"

#include <cstring>
#include <random>
#include <string_view>

namespace {

constexpr size_t width = 64, height = 16;

constexpr const char* source = R"(
#define KERNEL(suffix, T)                                                                        \
  kernel void read##suffix(read_only image2d_t i, sampler_t s, global uint4* o, int flip) {      \
    int2 size = get_image_dim(i), c = (int2)(get_global_id(0), get_global_id(1)) - 2;            \
    T x = read_image##suffix(i, s, convert_float2(c) + 0.25f);                                   \
    T y = read_image##suffix(i, flip ? size - c : c);                                            \
    o[get_global_id(1) * get_global_size(0) + get_global_id(0)] = as_uint4(x) * 31 + as_uint4(y); \
  }
#ifndef WITHOUT_f
KERNEL(f, float4)
#endif
#ifndef WITHOUT_i
KERNEL(i, int4) KERNEL(ui, uint4)
#endif
)";

const char* kernel_for(const cl_image_format& format) {
  constexpr cl_channel_type raw10 = 0x10E3, raw12 = 0x10E4; // CL_UNSIGNED_INT_RAW10_EXT, _RAW12_EXT
  const cl_channel_type type = format.image_channel_data_type;
  if (type == raw10 || type == raw12) return "readui";
  const test::Number number = test::number_of({format.image_channel_order, type});
  if (number == test::Number::signed_integer) return "readi";
  return number == test::Number::unsigned_integer ? "readui" : "readf";
}

/// Bytes that are small numbers in every format.
std::vector<cl_uchar> texels() {
  std::minstd_rand random(7);
  std::vector<cl_uchar> bytes(width * height * 16);
  for (cl_uchar& byte : bytes)
    byte = static_cast<cl_uchar>(random() >> 8 & 0x3b);
  return bytes;
}

test::Sampler sampler(cl_context context, bool is_linear) {
  cl_int error = 1;
  const cl_sampler_properties addressing = is_linear ? CL_ADDRESS_CLAMP_TO_EDGE : CL_ADDRESS_CLAMP,
                              filter = is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              filter,
                                              0};
  test::Sampler result(clCreateSamplerWithProperties(context, properties, &error));
  REQUIRE_CL(error);
  return result;
}

std::vector<cl_uint4> read(const test::Session& session, cl_program program, const cl_image_format& format,
                           cl_mem image, bool is_linear) {
  const auto kernel = session.kernel(program, kernel_for(format));
  const auto sampled = sampler(session.context, is_linear);
  const size_t count = (width + 4) * (height + 4);
  const auto out = session.buffer(count * sizeof(cl_uint4));
  test::set_arguments(kernel, static_cast<cl_mem>(image), static_cast<cl_sampler>(sampled), out, cl_int{1});
  session.run(kernel, {width + 4, height + 4});
  return session.read<cl_uint4>(out, count);
}

} // namespace

TEST_CASE("Images: one kernel reads all formats, whatever formats it has read before", "[image_sets]") {
  const test::Session session;
  const auto shared = session.build(source, "-cl-std=CL3.0");
  auto bytes = texels();
  for (int iteration = 0; iteration < 2; ++iteration)
    for (const cl_image_format& format :
         test::image_formats(session.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D)) {
      if (format.image_channel_order == CL_DEPTH) continue;
      const bool is_linear = iteration == 1 && std::string_view(kernel_for(format)) == "readf";
      CAPTURE(format.image_channel_order, format.image_channel_data_type, is_linear);
      const auto image =
          test::make_image(session.context, format, test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height),
                           CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes.data());
      const char* others = std::string_view(kernel_for(format)) == "readf" ? "-DWITHOUT_i" : "-DWITHOUT_f";
      const auto alone = session.build(source, (std::string("-cl-std=CL3.0 ") + others).c_str());
      const auto got = read(session, shared, format, image, is_linear),
                 expected = read(session, alone, format, image, is_linear);
      CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(cl_uint4)) == 0);
    }
}
