#pragma once

// Data that the survey's process shares with the processes of its paths (path.hpp): arguments with their exact results,
// and the largest errors found.

#include "arguments.hpp"
#include "parallel.hpp"

#include <algorithm>

namespace maths {

/// Arguments of one function for one type, and the exact results. A batch is in shared memory, so it has no pointers.
struct Batch {
  static constexpr std::size_t capacity = 48 * 2048; ///< a multiple of every vector's width, 3 included
  std::size_t function, format; ///< indices into the list of functions and into `formats`
  std::size_t count;
  Real x[capacity], y[capacity];
  Results wanted[capacity];

  /// Stores the arguments from index `first` on, as many as fit, with their exact results. `pair_at(i)` returns the
  /// Pair of index i, which is below `size`.
  template <class PairAt>
  void fill(const Function& called, const PairAt& pair_at, std::size_t first, std::size_t size) {
    count = std::min(capacity, size - first);
    in_parallel(count, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        const Pair pair = pair_at(first + i);
        x[i] = pair.x;
        y[i] = pair.y;
        wanted[i] = called.reference(formats[format], pair.x, pair.y);
      }
    });
  }
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
