#include "compiler/abi/image_facts.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler {

using namespace llvm;

ImageFact fact_of(std::uint32_t argument, const abi::Image& image) {
  return {argument, image.is_small, image.order, image.type, 0};
}

ImageFact fact_of(std::uint32_t argument, abi::Sampler sampler) {
  return {.argument = argument, .sampler = sampler};
}

std::string text_of(const ImageFacts& facts) {
  std::string text;
  for (const ImageFact& fact : facts) {
    text += (text.empty() ? "" : ",") + utostr(fact.argument) + "=";
    if (fact.order == 0)
      text += utohexstr(fact.sampler, /*LowerCase=*/true);
    else
      text += utohexstr(fact.order, true) + "." + utohexstr(fact.type, true) + (fact.is_small ? "s" : "");
  }
  return text;
}

namespace {

/// Reads what follows "ARGUMENT=". @returns false if it is not a fact
bool parse_value(StringRef text, ImageFact& fact) {
  auto [order, type] = text.split('.');
  if (order.size() == text.size()) return !text.getAsInteger(16, fact.sampler);
  fact.is_small = type.consume_back("s");
  return !order.getAsInteger(16, fact.order) && !type.getAsInteger(16, fact.type);
}

} // namespace

std::optional<ImageFacts> parse_image_facts(std::string_view text) {
  ImageFacts facts;
  for (StringRef word : split(StringRef(text.data(), text.size()), ',')) {
    if (word.empty()) continue;
    auto [argument, value] = word.split('=');
    ImageFact& fact = facts.emplace_back();
    if (argument.getAsInteger(10, fact.argument) || !parse_value(value, fact)) return std::nullopt;
  }
  return facts;
}

} // namespace hostcl::compiler
