#include "compiler/abi/image_properties.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler {

using namespace llvm;

ImageProperty property_of(std::uint32_t argument, const abi::Image& image) {
  return {argument, image.is_small, image.order, image.type, 0};
}

ImageProperty property_of(std::uint32_t argument, abi::Sampler sampler) {
  return {.argument = argument, .sampler = sampler};
}

std::string text_of(const ImageProperties& properties) {
  std::string text;
  for (const ImageProperty& property : properties) {
    text += (text.empty() ? "" : ",") + utostr(property.argument) + "=";
    if (property.order == 0)
      text += utohexstr(property.sampler, /*LowerCase=*/true);
    else
      text += utohexstr(property.order, true) + "." + utohexstr(property.type, true) +
              (property.is_small ? "s" : "");
  }
  return text;
}

namespace {

/// Reads what follows "ARGUMENT=". @returns false if it is not a property
bool parse_value(StringRef text, ImageProperty& property) {
  auto [order, type] = text.split('.');
  if (order.size() == text.size()) return !text.getAsInteger(16, property.sampler);
  property.is_small = type.consume_back("s");
  return !order.getAsInteger(16, property.order) && !type.getAsInteger(16, property.type);
}

} // namespace

std::optional<ImageProperties> parse_image_properties(std::string_view text) {
  ImageProperties properties;
  for (StringRef word : split(StringRef(text.data(), text.size()), ',')) {
    if (word.empty()) continue;
    auto [argument, value] = word.split('=');
    ImageProperty& property = properties.emplace_back();
    if (argument.getAsInteger(10, property.argument) || !parse_value(value, property)) return std::nullopt;
  }
  return properties;
}

} // namespace hostcl::compiler
