#pragma once

// What machine code relies on of the images and samplers that a launch has as arguments.

#include "compiler/abi/image.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

/// One image or sampler argument.
struct ImageProperty {
  std::uint32_t argument = 0; ///< its number
  std::uint32_t is_small = 0; ///< abi::Image::is_small
  std::uint16_t order = 0;    ///< of an image; 0 for a sampler
  std::uint16_t type = 0;     ///< likewise
  abi::Sampler sampler = 0;

  auto operator<=>(const ImageProperty&) const = default;
};

/// All image and sampler arguments of a launch in their order; code for an empty list works with all images.
using ImageProperties = std::vector<ImageProperty>;

ImageProperty property_of(std::uint32_t argument, const abi::Image& image);
ImageProperty property_of(std::uint32_t argument, abi::Sampler sampler);

/// "0=10b5.10d2s,1=ffff000000000014": order and type of argument 0, whose offsets are small, and the sampler
/// that is argument 1, in hexadecimal digits.
std::string text_of(const ImageProperties& properties);

/// The properties that a text says, or nothing.
std::optional<ImageProperties> parse_image_properties(std::string_view text);

} // namespace hostcl::compiler
