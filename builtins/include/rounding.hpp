#pragma once

// Conversions with a chosen rounding mode. The host always rounds to nearest even. All other modes correct
// that result, or an exact one, by one step if the host has rounded in the wrong direction.

#include "types.hpp"

namespace {

enum class Rounding { nearest, zero, up, down };

template <class E>
struct float_format;
template <>
struct float_format<half> {
  static constexpr int precision = 11, max_exponent = 16;
};
template <>
struct float_format<float> {
  static constexpr int precision = 24, max_exponent = 128;
};
template <>
struct float_format<double> {
  static constexpr int precision = 53, max_exponent = 1024;
};
template <class V>
using format_of = float_format<element_of<V>>;

/// Moves each x by one step away from zero (towards it) where the condition holds. Zeros do not move towards
/// zero.
template <class V, class C>
V step_away(V x, C condition) {
  using I = int_of<V>;
  return bits_as<V>(I(bits_as<I>(x) + pick(condition, I(1), I(0))));
}
template <class V, class C>
V step_back(V x, C condition) {
  using I = int_of<V>;
  return bits_as<V>(I(bits_as<I>(x) - pick(condition, I(1), I(0))));
}

/// A comparison of Vs as a condition for To, whose elements may have another size.
template <class To, class C>
auto condition_for(C condition) {
  if constexpr (is_vector<To>)
    return __builtin_convertvector(condition, int_of<To>);
  else
    return condition;
}

/// Nearest even. A double becomes half through a float rounded to odd, which rounds the same as in one step.
template <class To, class V>
To nearest(V x) {
  if constexpr (same<element_of<V>, double>::value && same<element_of<To>, half>::value) {
    using F = with_element<V, float>;
    F narrow = cast<F>(x);
    auto inexact = condition_for<F>(cast<V>(narrow) != x);
    auto too_large =
        condition_for<F>(__builtin_elementwise_abs(cast<V>(narrow)) > __builtin_elementwise_abs(x));
    F odd = bits_as<F>(int_of<F>(bits_as<int_of<F>>(step_back(narrow, too_large)) | int_of<F>(1)));
    return cast<To>(pick(inexact, pick(narrow != narrow, narrow, odd), narrow));
  } else {
    return cast<To>(x);
  }
}

/// Converts a floating-point type to a narrower one.
template <class To, Rounding mode, class V>
To narrow(V x) {
  To result = nearest<To>(x);
  if constexpr (mode == Rounding::nearest) return result;
  V back = cast<V>(result);
  if constexpr (mode == Rounding::zero) {
    return step_back(result,
                     condition_for<To>(__builtin_elementwise_abs(back) > __builtin_elementwise_abs(x)));
  } else {
    // True where the result was rounded in the wrong direction: below x when rounding up, above it when
    // rounding down. The sign bit gives the direction of zero.
    auto wrong = condition_for<To>(mode == Rounding::up ? back < x : back > x);
    auto negative = bits_as<int_of<To>>(result) < int_of<To>(0);
    To away = step_away(result, wrong), towards = step_back(result, wrong);
    return mode == Rounding::up ? pick(negative, towards, away) : pick(negative, away, towards);
  }
}

/// Converts an integer to a floating-point type: the bits beyond the precision are cut off first, so that the
/// conversion is exact and rounds to zero.
template <class To, Rounding mode, class V>
To from_integer(V x) {
  constexpr int precision = format_of<To>::precision;
  constexpr int value_bits = bits_of<V> - is_signed<V>;
  constexpr bool exact = value_bits <= precision;
  if constexpr (exact || mode == Rounding::nearest)
    return cast<To>(x);
  else {
    using U = uint_of<V>;
    auto negative = x < V(0);
    U magnitude = pick(negative, U(-bits_as<U>(x)), bits_as<U>(x));
    U used = U(bits_of<V>) - __builtin_elementwise_clzg(magnitude, U(bits_of<V>));
    U dropped = __builtin_elementwise_max(used, U(precision)) - U(precision);
    U kept = (magnitude >> dropped) << dropped;
    To result = cast<To>(kept);
    auto inexact = condition_for<To>(kept != magnitude);
    if constexpr (value_bits >= format_of<To>::max_exponent) {
      To infinity = To(element_of<To>(__builtin_inff()));
      inexact = inexact | (result == infinity);
      result = step_back(result, result == infinity);
    }
    auto minus = condition_for<To>(negative);
    if constexpr (mode == Rounding::up) result = step_away(result, inexact & !minus);
    if constexpr (mode == Rounding::down) result = step_away(result, inexact & minus);
    return pick(minus, -result, result);
  }
}

/// Converts any type to any floating-point type.
template <class To, Rounding mode, class V>
To to_float(V x) {
  if constexpr (!is_float<V>)
    return from_integer<To, mode>(x);
  else if constexpr (sizeof(element_of<V>) > sizeof(element_of<To>))
    return narrow<To, mode>(x);
  else
    return cast<To>(x);
}

} // namespace
