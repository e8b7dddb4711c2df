#pragma once

// The shape of a value: how the values of the lanes that compute it together relate.
// - uniform: all lanes have the same value.
// - affine: lane i has the first lane's value plus i * stride, in the arithmetic of the value's type. For pointers the
//   stride counts bytes. Consecutive values have stride 1, contiguous addresses the element's size.
// - varying: anything else.
//
// An affine value stays a scalar in the vector code: the value of lane 0, even if lane 0 is not active. The computation
// of that scalar must therefore not trap, and loses the flags that could make it poison.

#include <cstdint>

namespace hostcl::compiler {

struct Shape {
  enum Kind : std::uint8_t { unknown, uniform, affine, varying };
  Kind kind = unknown;
  std::int64_t stride = 0;
  /// True if the value is affine only under a condition that has to be tested at run time: no extension that the value
  /// depends on wraps between two lanes, and no minimum or maximum with a uniform value chooses that value in some
  /// lane. Where the condition has not been tested, the lanes' values must not be computed from the first lane's.
  bool checked = false;

  static Shape make_uniform() { return {uniform}; }
  static Shape make_varying() { return {varying}; }
  /// `stride` is taken modulo 2^bits; a stride of 0 is uniform.
  static Shape make_affine(std::int64_t stride, unsigned bits, bool checked = false);

  bool is_uniform() const { return kind == uniform; }
  bool is_affine() const { return kind == affine; }
  bool is_varying() const { return kind == varying; }
  bool operator==(const Shape&) const = default;
};

} // namespace hostcl::compiler
