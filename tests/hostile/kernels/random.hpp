#pragma once

// Random numbers for the hostile kernels. The same seed gives the same numbers on every machine.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace test {

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { // splitmix64
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
  }
  std::uint64_t below(std::uint64_t limit) { return bits() % limit; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  std::string pick(std::initializer_list<const char*> texts) { return texts.begin()[below(texts.size())]; }
  /// A random power of two from 2^least to 2^most, as a decimal literal of OpenCL C.
  std::string power(unsigned least, unsigned most) {
    return std::to_string(std::uint64_t{1} << (least + below(most - least + 1))) + "ul";
  }

private:
  std::uint64_t state_;
};

} // namespace test
