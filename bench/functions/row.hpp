#pragma once

// The rows of bench/maths: a mathematical function, or a few lines that call several, with the arguments that it is
// timed with and the reference that its results are compared with.

#include "builtins/math/tests/accuracy.hpp"

#include <span>
#include <string>
#include <vector>

namespace bench::functions {

using accuracy::Real;

enum class Type { single_precision, double_precision, half_precision };

/// Arguments of one call. They are numbers of the row's type; `digits` is the precision of this type.
struct Arguments {
  Real x, y;
  int n;
  int digits, smallest;
};

/// A result that the specification leaves to the implementation.
inline constexpr Real unspecified = std::numeric_limits<Real>::lowest();

struct Results {
  Real first, second = 0;
  bool any_zero = false; ///< zeros of both signs are right
};

/// Arguments from `low` to `high`, in units of the type's smallest normal number if `subnormal` is set.
struct Range {
  double low, high;
  bool subnormal = false;
};

/// Which arguments the error is searched with: those that are timed, or any numbers as x; as x and y; as x and n.
enum class Tried { range, x, x_and_y, x_and_n };

struct Row {
  std::string name;
  std::string title; ///< in Markdown
  std::string
      code; ///< OpenCL C that sets `T r`, and `T s` if there are two results, from `T x`, `T y` and `int n`
  Results (*reference)(const Arguments&);
  double bounds[3]; ///< in ULP, by type; infinite if the specification has none
  Tried tried;
  std::span<const Type> types;
  Range x, y; ///< n is y, rounded towards zero
  double least_ulp =
      0; ///< results below this number count as this large when their error is converted to ULP
};

/// In the order of the printed tables.
const std::vector<Row>& rows();

/// The largest error of the results of a row, and the arguments that it was found at.
struct Error {
  double ulp;
  std::string arguments;
};

/// Arguments that a row's error is searched with.
template <class T>
struct Samples {
  std::vector<T> x, y;
  std::vector<int> n;
};

/// Those of the row's ranges.
template <class T>
Samples<T> samples_of_ranges(const Row& row, std::size_t count);
/// Special values and some hundred thousand random ones, as the row wants.
template <class T>
Samples<T> samples_for_errors(const Row& row);

template <class T>
Error largest_error(const Row& row, const Samples<T>& samples, const std::vector<T>& first,
                    const std::vector<T>& second);

} // namespace bench::functions
