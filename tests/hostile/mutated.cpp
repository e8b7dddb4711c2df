#include "sources.hpp"

#include <array>
#include <cctype>
#include <random>

namespace test {

namespace {

/// Words, numbers, and single characters.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i]))
      while (end < text.size() && is_word(text[end]))
        ++end;
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

constexpr std::array<std::string_view, 36> strange = {"0",
                                                      "-1",
                                                      "4294967295",
                                                      "18446744073709551615",
                                                      "1.0e38f",
                                                      "(",
                                                      ")",
                                                      "{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      "*",
                                                      "&",
                                                      ";",
                                                      ",",
                                                      "volatile",
                                                      "local",
                                                      "global",
                                                      "private",
                                                      "constant",
                                                      "kernel",
                                                      "struct",
                                                      "typedef",
                                                      "void",
                                                      "int16",
                                                      "double8",
                                                      "half",
                                                      "bool",
                                                      "goto",
                                                      "barrier(3)",
                                                      "return",
                                                      "__attribute__((aligned(65536)))",
                                                      "get_local_id(9)",
                                                      "event_t",
                                                      "image2d_t",
                                                      "\n#define k"};

} // namespace

std::string mutated(std::string_view text, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string_view> tokens = tokens_of(text);
  if (tokens.empty()) return std::string(text);
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % tokens.size(), other = random() % tokens.size();
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 5) {
    case 0:
      *place = tokens[other];
      break;
    case 1:
      *place = strange[random() % strange.size()];
      break;
    case 2:
      *place = {};
      break;
    case 3:
      tokens.insert(place, std::string_view(strange[random() % strange.size()]));
      break;
    default:
      std::swap(*place, tokens[other]);
    }
  }
  std::string result;
  for (std::string_view token : tokens)
    result += token;
  return result;
}

} // namespace test
