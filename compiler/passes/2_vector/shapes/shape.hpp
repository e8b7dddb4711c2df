#pragma once

// The shape of a value: how the values of the lanes that compute it together relate.
// - uniform: all lanes have the same value.
// - affine: lane i has the first lane's value plus i * stride, in the arithmetic of the value's type. For pointers the
//   stride counts bytes. Consecutive values have stride 1, contiguous addresses the element's size.
// - varying: anything else.
//
// An affine value stays a scalar in the vector code: the value of lane 0, even if lane 0 is not active. The computation
// of that scalar must therefore not trap, and loses the flags that could make it poison.
//
// Each stride has a confidence: known, checked or guess. A value is uniform or affine only if its stride is known or
// checked. A varying value may have a guessed stride: the stride that its lanes most often have.

#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <cstdint>
#include <optional>

namespace hostcl::compiler {

enum class Confidence : std::uint8_t {
  known,
  /// The value is affine only under a condition that has to be tested at run time: no extension that the value depends
  /// on wraps between two lanes, and no minimum or maximum with a uniform value chooses that value in some lane. Code
  /// that has not tested the condition must not compute the lanes' values from the first lane's value.
  checked,
  guess,
};

class Shape {
public:
  Shape() = default; ///< not computed yet

  static Shape make_uniform() { return {strided, 0, Confidence::known}; }
  static Shape make_varying() { return {no_stride, 0, Confidence::guess}; }
  /// `stride` is taken modulo 2^bits. With a stride of 0 the value is uniform if the stride is known, and varying with
  /// a guessed stride of 0 otherwise.
  static Shape make_affine(std::int64_t stride, unsigned bits, Confidence confidence = Confidence::known) {
    if (bits < 64) stride = llvm::SignExtend64(static_cast<std::uint64_t>(stride), bits);
    if (stride == 0 && confidence != Confidence::known) confidence = Confidence::guess;
    return {strided, stride, confidence};
  }
  /// A varying value, with a guess if there is a likely stride.
  static Shape make_guess(std::optional<std::int64_t> stride) {
    return stride ? Shape(strided, *stride, Confidence::guess) : make_varying();
  }

  bool is_computed() const { return kind_ != not_computed; }
  bool is_uniform() const { return is_scalar() && stride_ == 0; }
  bool is_affine() const { return is_scalar() && stride_ != 0; }
  bool is_varying() const { return is_computed() && !is_scalar(); }
  /// Whether the value is affine, but only if a test at run time says so.
  bool is_checked() const { return is_scalar() && confidence_ == Confidence::checked; }

  /// The stride of a value that is uniform or affine.
  std::int64_t stride() const {
    assert(is_scalar() && "a varying value has no stride");
    return stride_;
  }
  /// The stride, even if it is a guess; 0 if the value is likely uniform; nothing if no guess is possible. Code that
  /// relies on a guess needs a test at run time.
  std::optional<std::int64_t> likely_stride() const {
    return kind_ == strided ? std::optional(stride_) : std::nullopt;
  }
  Confidence confidence() const { return confidence_; }

  bool operator==(const Shape&) const = default;

private:
  enum Kind : std::uint8_t { not_computed, strided, no_stride };
  Shape(Kind kind, std::int64_t stride, Confidence confidence)
      : kind_(kind), confidence_(confidence), stride_(stride) {}
  bool is_scalar() const { return kind_ == strided && confidence_ != Confidence::guess; }

  Kind kind_ = not_computed;
  Confidence confidence_ = Confidence::known;
  std::int64_t stride_ = 0;
};

} // namespace hostcl::compiler
