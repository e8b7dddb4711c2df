#pragma once

// One kernel with the range that it runs over. As text, the range is the first line, a comment, so that a
// case is a source file which can be kept and run again.

#include "differential/tree.hpp"

#include <array>
#include <optional>

namespace differential {

struct Geometry {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};

  std::size_t items() const { return global[0] * global[1] * global[2]; }
  std::size_t group_items() const { return local[0] * local[1] * local[2]; }
  bool is_uniform() const {
    return global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0;
  }
};

struct Case {
  Geometry geometry;
  Node kernel;

  std::string text() const;
};

std::string header_of(const Geometry& geometry);
/// What the first line says, if it is such a line.
std::optional<Geometry> geometry_of(const std::string& text);

} // namespace differential
