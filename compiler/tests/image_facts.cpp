// Facts about image and sampler arguments, and their text.

#include "compiler/abi/image_facts.hpp"
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

TEST_CASE("Image facts: the text has argument, order, type and size of images, and the value of samplers",
          "[image_facts]") {
  const ImageFacts facts = {fact_of(0, image(0x10b5, 0x10d2, true)), fact_of(2, image(0x10b0, 0x10de, false)),
                            fact_of(3, abi::Sampler{0xffff000000000014})};
  CHECK(text_of(facts) == "0=10b5.10d2s,2=10b0.10de,3=ffff000000000014");
  CHECK(text_of(ImageFacts()).empty());
}

TEST_CASE("Image facts: a text says the facts that it was made of", "[image_facts]") {
  const ImageFacts facts = {fact_of(1, abi::Sampler{0}), fact_of(10, image(0x10bd, 0x10de, true)),
                            fact_of(128, image(0x10b9, 0x10d3, false))};
  CHECK(parse_image_facts(text_of(facts)) == facts);
  CHECK(parse_image_facts("") == ImageFacts());
}

TEST_CASE("Image facts: a text that is none is refused", "[image_facts]") {
  for (const char* text : {"0", "=10", "x=10", "0=", "0=10.", "0=.10", "0=10b5.10d2x", "0=10b51.10d2",
                           "0=12345678123456781", "-1=10"})
    CHECK(parse_image_facts(text) == std::nullopt);
}
