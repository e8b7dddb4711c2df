#pragma once

#include <cstdint>

namespace soak {

/// SplitMix64: any seed gives an independent stream.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(next()); }
  /// 0 ... bound - 1
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }

private:
  std::uint64_t state_;
};

} // namespace soak
