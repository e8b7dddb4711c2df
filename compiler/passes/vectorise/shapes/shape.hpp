#pragma once

// How the lanes' values of one instruction relate.
//
// A value is uniform (all lanes that compute it together have the same value), affine (lane i has the first
// lane's value plus i * stride, in the arithmetic of its type; for pointers the stride counts bytes) or
// varying. An affine value stays a scalar, the first lane's, also where that lane is not active: its
// computation cannot trap and drops the flags that could make it poison.

#include <cstdint>

namespace hostcl::compiler {

struct Shape {
  enum Kind : std::uint8_t { unknown, uniform, affine, varying };
  Kind kind = unknown;
  std::int64_t stride = 0;
  /// True if the value is affine only when on the way to it no extension wraps between two lanes, and no
  /// minimum or maximum with a uniform value takes that for some lane; both have to be tested at run time. The
  /// lanes' values can then not be computed from the first lane's.
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
