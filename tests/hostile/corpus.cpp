#include "corpus.hpp"

namespace test {

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

std::string nest(std::string_view before, std::string_view middle, std::string_view after,
                 std::size_t count) {
  return repeat(before, count) + std::string(middle) + repeat(after, count);
}

std::string kernel(std::string_view body) {
  return "kernel void k(global int* p) { " + std::string(body) + " }\n";
}

std::string doubling(std::string_view term, std::string_view between, unsigned times) {
  std::string text = "#define M0 " + std::string(term) + "\n";
  for (unsigned i = 1; i <= times; ++i) {
    const std::string before = "M" + std::to_string(i - 1);
    text += "#define M" + std::to_string(i) + " " + before + " " + std::string(between) + " " + before + "\n";
  }
  return text;
}

} // namespace test
