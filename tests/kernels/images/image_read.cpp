// Reads of images in kernels, texel for texel, against the model of images. Values are exact.

#include "support/image_kernels.hpp"

namespace {

using test::Bits, test::ImageFormat, test::ImageKind, test::KernelImage, test::Number;
using At = std::array<cl_int, 4>;

const std::vector<ImageFormat> all_formats =
    test::formats_with({Number::unorm, Number::snorm, Number::half, Number::single, Number::signed_integer,
                        Number::unsigned_integer});

const ImageKind& kind_for(const ImageFormat& format) {
  return test::has_depth(format) ? test::image_2d_depth : test::image_2d;
}

/// What `call` gives for each of `places`: an expression of the image i, the sampler s and the coordinates c.
std::vector<Bits> results_of(const test::Session& session, KernelImage& image, const std::string& call,
                             const std::string& access, const std::vector<At>& places) {
  const std::string type =
      test::has_depth(image.model.format) ? "float" : test::access_of(image.model.format).colour;
  const std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nconst sampler_t s = "
                             "CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE;\n"
                             "kernel void k(" +
                             access + " " + image.kind->type +
                             " i, global const int4* at, global uint4* o) {"
                             " size_t g = get_global_id(0); int4 c = at[g]; " +
                             type + " x = " + call + "; o[g] = as_uint4(" +
                             (type == "float" ? "(float4)(x)" : "x") + "); }";
  const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
  const auto object = image.object(session);
  const auto coordinates = session.buffer(places), results = session.buffer(places.size() * sizeof(Bits));
  test::set_arguments(kernel, object, coordinates, results);
  session.run(kernel, places.size());
  return session.read<Bits>(results, places.size());
}

/// The read of the format's suffix, with or without a sampler.
std::string read_call(const KernelImage& image, bool sampled) {
  return std::string("read_image") + test::access_of(image.model.format).suffix + "(i, " +
         (sampled ? "s, " : "") + "c" + test::coordinates_of(*image.kind) + ")";
}

/// All codes of 16 bits, in each channel in another order.
void fill_with_codes(KernelImage& image) {
  const auto channels = channels_of(image.model.format);
  for (unsigned i = 0; i < 1 << 16; ++i)
    for (unsigned c = 0; c < channels.size(); ++c) {
      const unsigned code = i * (c == 0 ? 1 : 40503 * c);
      const auto x = static_cast<int>(i % 256), y = static_cast<int>(i / 256);
      set_bits(image.model.texel(x, y, 0), channels[c], channels[c].count == 32 ? code << 16 : code);
    }
}

void check_reads(KernelImage& image, const std::vector<Bits>& results, const std::vector<At>& places,
                 test::Addressing addressing) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto expected = image.model.sample({false, addressing, false},
                                             std::array<int, 3>{places[i][0], places[i][1], places[i][2]});
    if (!test::is_same(image.model.format, results[i], expected) && ++wrong <= 3)
      UNSCOPED_INFO(name_of(image.model.format)
                    << " in " << image.kind->type << " at " << places[i][0] << " " << places[i][1] << " "
                    << places[i][2] << ": " << test::colour_of(image.model.format, results[i])[0] << ", not "
                    << expected[0]);
  }
  CHECK(wrong == 0);
}

std::vector<At> places_of_256_squared() {
  std::vector<At> places;
  for (cl_int i = 0; i < 1 << 16; ++i)
    places.push_back({i % 256, i / 256, 0, 0});
  return places;
}

/// Places in and around an image of at most 8 texels along an axis.
std::vector<At> places_around() {
  std::vector<At> places;
  for (const cl_int z : {-1, 0, 1, 2, 3, 1 << 30})
    for (cl_int y = -2; y < 6; ++y)
      for (cl_int x = -3; x < 13; ++x)
        places.push_back({x, y, z, 0});
  places.push_back({CL_INT_MIN, CL_INT_MIN, CL_INT_MIN, 0});
  places.push_back({CL_INT_MAX, CL_INT_MAX, CL_INT_MAX, 0});
  return places;
}

} // namespace

TEST_CASE("Kernels read the exact value of every code of every format", "[image_read]") {
  const test::Session session;
  const auto places = places_of_256_squared();
  for (const ImageFormat& format : all_formats) {
    KernelImage image(session, kind_for(format), format, {256, 256, 1});
    fill_with_codes(image);
    const auto results = results_of(session, image, read_call(image, true), "read_only", places);
    check_reads(image, results, places, test::Addressing::clamp);
  }
}

TEST_CASE("Kernels read all kinds of images, and the border around them", "[image_read]") {
  const test::Session session;
  const auto places = places_around();
  for (const ImageKind& kind : test::image_kinds) {
    if (&kind == &test::image_buffer) continue;
    const bool depth = std::string(kind.type).find("depth") != std::string::npos;
    for (const ImageFormat format :
         {ImageFormat{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_HALF_FLOAT}, {CL_RGBA, CL_SIGNED_INT32}}) {
      const ImageFormat used = depth ? ImageFormat{CL_DEPTH, CL_FLOAT} : format;
      KernelImage image(session, kind, used, {9, kind.axes > 1 ? 4 : 1, kind.axes > 2 ? 3 : 1},
                        kind.is_array ? 3 : 1);
      const auto results = results_of(session, image, read_call(image, true), "read_only", places);
      check_reads(image, results, places, test::Addressing::clamp);
    }
  }
}

TEST_CASE("Kernels read without a sampler, also images that they may write", "[image_read]") {
  const test::Session session;
  for (const ImageKind& kind : test::image_kinds) {
    const bool depth = std::string(kind.type).find("depth") != std::string::npos;
    const ImageFormat format =
        depth ? ImageFormat{CL_DEPTH, CL_UNORM_INT16} : ImageFormat{CL_RGBA, CL_UNSIGNED_INT8};
    KernelImage image(session, kind, format, {9, kind.axes > 1 ? 4 : 1, kind.axes > 2 ? 3 : 1},
                      kind.is_array ? 3 : 1);
    // What is outside is undefined; hostcl has the edge there.
    const auto places = places_around();
    for (const char* access : {"read_only", "read_write"}) {
      const auto results = results_of(session, image, read_call(image, false), access, places);
      check_reads(image, results, places, test::Addressing::clamp_to_edge);
    }
  }
}

TEST_CASE("read_imageh gives the half of what read_imagef gives", "[image_read]") {
  const test::Session session;
  const auto places = places_of_256_squared();
  for (const ImageFormat format :
       {ImageFormat{CL_RGBA, CL_UNORM_INT8}, {CL_RG, CL_HALF_FLOAT}, {CL_R, CL_SNORM_INT16}}) {
    KernelImage image(session, test::image_2d, format, {256, 256, 1});
    const std::string same = "as_float4((convert_float4(read_imageh(i, s, c.xy)) == "
                             "convert_float4(convert_half4(read_imagef(i, s, c.xy)))))";
    for (const Bits& bits : results_of(session, image, same, "read_only", places))
      if (bits != Bits{~0U, ~0U, ~0U, ~0U}) FAIL_CHECK(name_of(format));
  }
}
