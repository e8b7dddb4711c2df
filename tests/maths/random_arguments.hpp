#pragma once

// Random arguments of several kinds, each of which is hard for some function.

#include "arguments.hpp"

namespace maths {

/// A source of random arguments whose numbers depend on the index alone.
///
/// Function bodies branch on whether any element of a vector has a rare case. So that all elements of a vector are
/// often of one kind, the kind is the same for a block of 64 consecutive indices. In each fourth block, kinds are
/// mixed.
class RandomArguments {
public:
  RandomArguments(const Format& format, std::uint64_t index);

  Real number();       ///< any bit pattern, numbers of moderate size, or numbers close to special ones
  Pair pair();         ///< two independent numbers, or two with a relation
  Pair with_integer(); ///< a number, and an int as y

  double unit(); ///< a number of [0, 1)

private:
  static std::uint64_t next(std::uint64_t& state);
  std::uint64_t next() { return next(state_); }
  int between(int low, int high); ///< an integer of [low, high]
  int kind(int count);            ///< a number of [0, count), the same for most blocks
  Real integer();                 ///< an int
  Real near_special();
  Real near_one();
  Real
  logarithm_of_result(); ///< the natural logarithm of a number that the type can just represent, or just cannot
  Pair small_integers();
  Pair near_overflow();

  const Format& format_;
  std::uint64_t state_;
  std::uint64_t block_; ///< the state for numbers that are the same in a block
};

} // namespace maths
