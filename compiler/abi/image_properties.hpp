#pragma once

// The properties of a launch's image and sampler arguments on which machine code may rely.

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
  std::uint32_t argument = 0; ///< number of the argument
  std::uint32_t is_small = 0; ///< abi::Image::is_small
  std::uint16_t order = 0;    ///< cl_channel_order of an image; 0 for a sampler
  std::uint16_t type = 0;     ///< cl_channel_type of an image; 0 for a sampler
  abi::Sampler sampler = 0;

  auto operator<=>(const ImageProperty&) const = default;
};

/// All image and sampler arguments of a launch in their order; code for an empty list works with all images.
using ImageProperties = std::vector<ImageProperty>;

ImageProperty property_of(std::uint32_t argument, const abi::Image& image);
ImageProperty property_of(std::uint32_t argument, abi::Sampler sampler);

/// "0=10b5.10d2s,1=ffff000000000014": argument 0 is an image with channel order 0x10b5 and channel type
/// 0x10d2 that is small (`s`), and argument 1 is a sampler with the given value. Numbers are hexadecimal.
std::string text_of(const ImageProperties& properties);

/// Parses a text of text_of(). Returns nothing if the text is malformed.
std::optional<ImageProperties> parse_image_properties(std::string_view text);

} // namespace hostcl::compiler
