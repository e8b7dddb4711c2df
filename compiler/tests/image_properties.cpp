// Properties of image and sampler arguments, and their text.

#include "compiler/abi/image_properties.hpp"
#include "support/catch.hpp"

using namespace hostcl;
using namespace hostcl::compiler;

namespace {

abi::Image image(std::uint16_t order, std::uint16_t type, bool is_small) {
  abi::Image result{};
  result.order = order;
  result.type = type;
  result.is_small = is_small;
  return result;
}

} // namespace

TEST_CASE(
    "Image properties: the text has argument, order, type and size of images, and the value of samplers",
    "[image_properties]") {
  const ImageProperties properties = {property_of(0, image(0x10b5, 0x10d2, true)),
                                      property_of(2, image(0x10b0, 0x10de, false)),
                                      property_of(3, abi::Sampler{0xffff000000000014})};
  CHECK(text_of(properties) == "0=10b5.10d2s,2=10b0.10de,3=ffff000000000014");
  CHECK(text_of(ImageProperties()).empty());
}

TEST_CASE("Image properties: a text says the properties that it was made of", "[image_properties]") {
  const ImageProperties properties = {property_of(1, abi::Sampler{0}),
                                      property_of(10, image(0x10bd, 0x10de, true)),
                                      property_of(128, image(0x10b9, 0x10d3, false))};
  CHECK(parse_image_properties(text_of(properties)) == properties);
  CHECK(parse_image_properties("") == ImageProperties());
}

TEST_CASE("Image properties: a text that is none is refused", "[image_properties]") {
  for (const char* text : {"0", "=10", "x=10", "0=", "0=10.", "0=.10", "0=10b5.10d2x", "0=10b51.10d2",
                           "0=12345678123456781", "-1=10"})
    CHECK(parse_image_properties(text) == std::nullopt);
}
