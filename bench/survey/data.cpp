#include "bench/survey/data.hpp"

#include "bench/measure.hpp"

#include <cstring>
#include <map>
#include <numeric>

namespace bench::survey {
namespace {

std::size_t size_of(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes = {
      {"char", 1}, {"uchar", 1}, {"short", 2}, {"half", 2},   {"int", 4},
      {"uint", 4}, {"float", 4}, {"long", 8},  {"double", 8}, {"ulong", 8}};
  const auto size = sizes.find(type);
  if (size == sizes.end()) throw std::runtime_error("unknown type: " + type);
  return size->second;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Bytes random_bytes(const Argument& argument) {
  if (argument.type == "float") return bytes_of(random_values<float>(argument.value, 0, 1));
  if (argument.type == "double") return bytes_of(random_values<double>(argument.value, 0, 1));
  Random random;
  if (argument.type == "half") { // numbers in [0.5, 1)
    std::vector<std::uint16_t> values(argument.value);
    for (std::uint16_t& value : values)
      value = std::uint16_t(0x3800 | random.below(0x400));
    return bytes_of(values);
  }
  std::vector<std::uint64_t> words((argument.value * size_of(argument.type) + 7) / 8);
  for (std::uint64_t& word : words)
    word = random.bits();
  Bytes bytes = bytes_of(words);
  bytes.resize(argument.value * size_of(argument.type));
  return bytes;
}

Bytes permutation(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  Random random;
  for (std::size_t i = count; i > 1; --i)
    std::swap(values[i - 1], values[random.below(i)]);
  return bytes_of(values);
}

Bytes ascending(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::uint32_t((std::uint64_t(i) << 32) / count);
  return bytes_of(values);
}

template <class T>
std::string compare(const Bytes& actual, const Bytes& expected, double relative, double absolute) {
  for (std::size_t at = 0; at + sizeof(T) <= expected.size(); at += sizeof(T)) {
    T have, want;
    std::memcpy(&have, &actual[at], sizeof(T));
    std::memcpy(&want, &expected[at], sizeof(T));
    const double allowed = relative * std::abs(double(want)) + absolute;
    const bool both_nan = std::isnan(double(have)) && std::isnan(double(want));
    if (have != want && !both_nan && !(std::abs(double(have) - double(want)) <= allowed))
      return "element " + std::to_string(at / sizeof(T)) + " is " + std::to_string(have) + " instead of " +
             std::to_string(want);
  }
  return {};
}

} // namespace

Bytes contents(const Argument& argument) {
  switch (argument.fill) {
  case Fill::random:
    return random_bytes(argument);
  case Fill::permutation:
    return permutation(argument.value);
  case Fill::ascending:
    return ascending(argument.value);
  case Fill::zero:
    break;
  }
  return Bytes(argument.value * size_of(argument.type));
}

std::string difference(const Argument& argument, const Bytes& actual, const Bytes& expected) {
  if (actual.size() != expected.size()) return "the sizes differ";
  if (argument.type == "float") return compare<float>(actual, expected, 2e-5, 2e-5);
  if (argument.type == "double") return compare<double>(actual, expected, 1e-12, 1e-12);
  if (argument.type == "half")
    return compare<std::int16_t>(actual, expected, 0, 2); // units in the last place
  if (size_of(argument.type) == 1) return compare<std::uint8_t>(actual, expected, 0, 0);
  return compare<std::uint32_t>(actual, expected, 0, 0);
}

} // namespace bench::survey
