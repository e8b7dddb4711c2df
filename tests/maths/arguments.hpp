#pragma once

// The arguments that a function is tested with: special values, structured cases, and random numbers that depend on
// their index only.

#include "functions.hpp"

#include <cstddef>

namespace maths {

struct Pair {
  Real x, y;
};

/// How many arguments a function is tested with, besides the special values and structured cases.
struct Amount {
  std::size_t random;       ///< random arguments
  std::uint64_t stride = 0; ///< each stride-th bit pattern of the floats; 0: none
};

/// The arguments of one function, for one type, as a sequence whose elements are computed on demand:
/// 1. special values, combined with each other if the function has two arguments, and structured cases;
/// 2. bit patterns, for functions of one argument: all patterns of half, each stride-th pattern of float;
/// 3. random arguments.
/// If a function is restricted to a range, the arguments are special values inside the range, an even grid over the
/// range, and random arguments.
class Arguments {
public:
  Arguments(const Function& function, const Format& format, const Amount& amount);

  std::size_t size() const { return fixed_.size() + patterns_ + random_; }
  Pair operator[](std::size_t index) const;

private:
  Pair in_range(std::size_t index) const;

  const Function& function_;
  const Format& format_;
  std::vector<Pair> fixed_;
  std::size_t patterns_ = 0, random_;
  std::uint64_t stride_ = 1;
};

} // namespace maths
