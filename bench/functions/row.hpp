#pragma once

// The rows of bench/maths: a mathematical function, or a few lines that call several, with the arguments that it is
// timed with.

#include "tests/maths/arguments.hpp"

#include <string>
#include <vector>

namespace bench::functions {

/// Arguments from `low` to `high`, in units of the type's smallest normal number if `subnormal` is set.
struct Range {
  double low = -10, high = 10;
  bool subnormal = false;
};

struct Row {
  maths::Function
      function;      ///< its bound is infinite if the specification has none, NaN for types without this row
  std::string title; ///< in Markdown
  Range x, y;        ///< the arguments that are timed; if y is an int, it is rounded towards zero
  bool errors_in_range = false; ///< whether errors are searched among these arguments, rather than among all

  maths::Pair argument(const maths::Format& format, std::size_t index) const;
};

/// In the order of the printed tables.
const std::vector<Row>& rows();

} // namespace bench::functions
