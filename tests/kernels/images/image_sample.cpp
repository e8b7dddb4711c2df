// Samplers in kernels: filters, addressing modes, levels of detail, against the model of images in double precision.

#include "support/image_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace {

using test::Addressing, test::Bits, test::Colour, test::ImageFormat, test::ImageKind, test::KernelImage,
    test::SamplerModel;
using At = std::array<cl_float, 4>;

const std::vector<SamplerModel> samplers = {
    {false, Addressing::clamp_to_edge, false}, {false, Addressing::clamp, false},
    {true, Addressing::clamp_to_edge, false},  {true, Addressing::clamp, false},
    {true, Addressing::repeat, false},         {true, Addressing::mirrored_repeat, false},
    {false, Addressing::clamp_to_edge, true},  {false, Addressing::clamp, true},
    {true, Addressing::clamp_to_edge, true},   {true, Addressing::clamp, true},
    {true, Addressing::repeat, true},          {true, Addressing::mirrored_repeat, true}};

cl_addressing_mode mode_of(Addressing addressing) {
  switch (addressing) {
  case Addressing::none:
    return CL_ADDRESS_NONE;
  case Addressing::clamp_to_edge:
    return CL_ADDRESS_CLAMP_TO_EDGE;
  case Addressing::clamp:
    return CL_ADDRESS_CLAMP;
  case Addressing::repeat:
    return CL_ADDRESS_REPEAT;
  default:
    return CL_ADDRESS_MIRRORED_REPEAT;
  }
}

test::Sampler sampler_object(const test::Session& session, const SamplerModel& model) {
  cl_int error = 1;
  test::Sampler sampler(clCreateSampler(session.context, model.normalized, mode_of(model.addressing),
                                        model.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error));
  REQUIRE_CL(error);
  return sampler;
}

std::string literal(const SamplerModel& model) {
  const char* modes[] = {"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT", "MIRRORED_REPEAT"};
  return std::string("CLK_NORMALIZED_COORDS_") + (model.normalized ? "TRUE" : "FALSE") + " | CLK_ADDRESS_" +
         modes[static_cast<unsigned>(model.addressing) / 2] + " | CLK_FILTER_" +
         (model.linear ? "LINEAR" : "NEAREST");
}

std::string source_of(const KernelImage& image, const std::string& declared, const std::string& parameter) {
  const bool depth = test::has_depth(image.model.format);
  return declared + "kernel void k(read_only " + image.kind->type +
         " i, global const float4* at, global uint4* o" + parameter +
         ") { size_t g = get_global_id(0); o[g] = as_uint4(" + (depth ? "(float4)" : "") + "(read_image" +
         test::access_of(image.model.format).suffix + "(i, s, at[g]" + test::coordinates_of(*image.kind) +
         "))); }";
}

/// Random places around the image, some of them on the borders between texels.
std::vector<At> places_for(const KernelImage& image, bool normalized) {
  std::mt19937 random(7);
  std::vector<At> places;
  for (int i = 0; i < 1000; ++i) {
    At at = {};
    for (unsigned c = 0; c < 3; ++c) {
      const float range = normalized && c < image.model.axes ? 4 : 24;
      at[c] = std::uniform_real_distribution<float>(-range / 3, range)(random);
      if (i % 8 == 0) at[c] = std::floor(at[c]);
    }
    places.push_back(at);
  }
  return places;
}

void check(const KernelImage& image, const SamplerModel& sampler, const std::vector<At>& places,
           const std::vector<Bits>& results) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Colour expected =
        image.model.sample(sampler, std::array<float, 3>{places[i][0], places[i][1], places[i][2]});
    const Colour result = test::colour_of(image.model.format, results[i]);
    bool good = test::is_same(image.model.format, results[i], expected);
    if (sampler.linear) {
      good = true;
      for (unsigned c = 0; c < (test::has_depth(image.model.format) ? 1U : 4U); ++c)
        good &= std::fabs(result[c] - expected[c]) <= 2e-5;
    }
    if (!good && ++wrong <= 3)
      UNSCOPED_INFO(name_of(image.model.format)
                    << ", " << image.kind->type << ", " << literal(sampler) << " at " << places[i][0] << " "
                    << places[i][1] << " " << places[i][2] << ": " << result[0] << ", not " << expected[0]);
  }
  CHECK(wrong == 0);
}

KernelImage image_for(const test::Session& session, const ImageKind& kind, const ImageFormat& format) {
  return {session, kind, format, {7, kind.axes > 1 ? 5 : 1, kind.axes > 2 ? 3 : 1}, kind.is_array ? 4 : 1};
}

std::vector<Bits> run(const test::Session& session, cl_kernel kernel, KernelImage& image,
                      const std::vector<At>& places, cl_sampler sampler) {
  const auto object = image.object(session);
  const auto coordinates = session.buffer(places), results = session.buffer(places.size() * sizeof(Bits));
  test::set_arguments(kernel, object, coordinates, results);
  if (sampler) REQUIRE_CL(test::set_argument(kernel, 3, sampler));
  session.run(kernel, places.size());
  return session.read<Bits>(results, places.size());
}

/// One kernel with a sampler argument, for all samplers.
void check_arguments(const ImageKind& kind, const ImageFormat& format) {
  const test::Session session;
  KernelImage image = image_for(session, kind, format);
  const auto kernel = session.kernel(source_of(image, "", ", sampler_t s").c_str(), "k", "-cl-std=CL3.0");
  const bool is_integer = test::access_of(format).suffix[0] != 'f';
  for (const SamplerModel& model : samplers) {
    if (model.linear && is_integer) continue;
    const auto places = places_for(image, model.normalized);
    check(image, model, places, run(session, kernel, image, places, sampler_object(session, model)));
  }
}

} // namespace

TEST_CASE("Sampler arguments: all kinds of images, addressing modes and filters", "[image_sample]") {
  for (const ImageKind& kind : test::image_kinds) {
    if (&kind == &test::image_buffer) continue;
    const bool depth = std::string(kind.type).find("depth") != std::string::npos;
    check_arguments(kind, depth ? ImageFormat{CL_DEPTH, CL_FLOAT} : ImageFormat{CL_RGBA, CL_UNORM_INT8});
  }
}

TEST_CASE("Sampler arguments: formats with fewer channels, sRGB, halves and integers",
          "[image_sample][one_form]") {
  for (const ImageFormat format : {ImageFormat{CL_R, CL_FLOAT},
                                   {CL_RG, CL_HALF_FLOAT},
                                   {CL_A, CL_SNORM_INT16},
                                   {0x10C1, CL_UNORM_INT8},
                                   {CL_RGB, CL_UNORM_SHORT_565},
                                   {CL_INTENSITY, CL_UNORM_INT16},
                                   {CL_RGBA, CL_FLOAT},
                                   {CL_RG, CL_SIGNED_INT16},
                                   {CL_RGBA, CL_UNSIGNED_INT32}})
    check_arguments(test::image_2d, format);
}

TEST_CASE("Literal samplers do the same", "[image_sample]") {
  const test::Session session;
  for (const ImageFormat format : {ImageFormat{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}}) {
    KernelImage image = image_for(session, test::image_2d, format);
    for (const SamplerModel& model : samplers) {
      const std::string declared = "constant sampler_t s = " + literal(model) + ";\n";
      const auto kernel = session.kernel(source_of(image, declared, "").c_str(), "k", "-cl-std=CL3.0");
      const auto places = places_for(image, model.normalized);
      check(image, model, places, run(session, kernel, image, places, nullptr));
    }
  }
}

TEST_CASE("Fast mathematics of the program does not reach samples", "[image_sample]") {
  const test::Session session;
  KernelImage image = image_for(session, test::image_2d, {CL_RGBA, CL_UNORM_INT8});
  const auto kernel =
      session.kernel(source_of(image, "", ", sampler_t s").c_str(), "k", "-cl-fast-relaxed-math");
  for (const SamplerModel& model : samplers) {
    const auto places = places_for(image, model.normalized);
    check(image, model, places, run(session, kernel, image, places, sampler_object(session, model)));
  }
}

TEST_CASE("No coordinate of a sample leads outside of an image", "[image_sample][one_form]") {
  const test::Session session;
  std::vector<At> places;
  const float values[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 2147483648.0f, -2147483648.0f, 0.5f};
  for (const float x : values)
    for (const float y : values)
      for (const float z : values)
        places.push_back({x, y, z, 0});
  for (const ImageKind& kind : test::image_kinds) {
    if (&kind == &test::image_buffer || std::string(kind.type).find("depth") != std::string::npos) continue;
    // All texels are 1: a NaN as weight may give NaN, but nothing else can.
    KernelImage image = image_for(session, kind, {CL_R, CL_FLOAT});
    const float one = 1;
    for (std::size_t at = 0; at < image.texels().size(); at += sizeof one)
      std::memcpy(image.texels().data() + at, &one, sizeof one);
    const auto kernel = session.kernel(source_of(image, "", ", sampler_t s").c_str(), "k", "-cl-std=CL3.0");
    for (const SamplerModel& model : samplers) {
      const auto sampler = sampler_object(session, model);
      for (const Bits& bits : run(session, kernel, image, places, sampler)) {
        const double red = test::colour_of(image.model.format, bits)[0];
        if (!(std::isnan(red) || (red >= -1e-6 && red <= 1 + 1e-6)))
          FAIL_CHECK(kind.type << " " << literal(model) << ": " << red);
      }
    }
  }
}
