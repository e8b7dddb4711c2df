#pragma once

// What the survey's process and the processes of its paths share: arguments with their exact results, and the largest
// errors found.

#include "functions.hpp"

#include <cstddef>

namespace maths {

/// Arguments of one function for one type. It lies in shared memory, so it has no pointers.
struct Batch {
  static constexpr std::size_t capacity = 48 * 2048; ///< a multiple of every vector's width, 3 included
  std::size_t function, format; ///< indices into the list of functions and into `formats`
  std::size_t count;
  Real x[capacity], y[capacity];
  Results wanted[capacity];
};

/// The largest error seen, and its arguments.
struct Worst {
  double error = 0;
  Real x = 0, y = 0;
  Real got = 0, wanted = 0;
  int width = 0;       ///< of the vector type that the kernel called the function with
  bool second = false; ///< whether it is an error of the second result

  void add(const Worst& other) {
    if (other.error > error) *this = other;
  }
};

} // namespace maths
