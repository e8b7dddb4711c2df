#pragma once

// Templates that the bodies of the mathematical functions share. A body is a template over float, floatN, double and
// doubleN. A condition selects one of two results; a body branches only on any_of(), so that all lanes of a vector take
// the same branch. Half functions run a body for float (`lifted`).

#include "types.hpp"

#define INLINE __attribute__((always_inline)) inline
/// A table for entry(): `TABLE double name[] = {...};`, or a template over the element type, with a specialisation for
/// float where the entries are not the same numbers.
#define TABLE __attribute__((aligned(64))) constexpr __constant

namespace {

template <class V>
inline constexpr __constant bool is_half = same<element_of<V>, half>::value;
template <class V>
inline constexpr __constant bool is_double = same<element_of<V>, double>::value;
/// The number of stored significand bits, and the exponent's bias.
template <class V>
inline constexpr __constant int significand_bits = is_double<V> ? 52
                                                   : is_half<V> ? 10
                                                                : 23;
template <class V>
inline constexpr __constant int exponent_bias = is_double<V> ? 1023
                                                : is_half<V> ? 15
                                                             : 127;

/// A constant for each element type: the float and the double that stand for the same number, or serve the
/// same purpose.
template <class V>
INLINE V number(float single, double precise) {
  if constexpr (is_double<V>)
    return V(precise);
  else
    return V(element_of<V>(single));
}

/// log 2, rounded, and as a sum whose first part has trailing zeros: a multiple of 2^-16 (float) or 2^-42 (double).
template <class V>
INLINE V ln2() {
  return number<V>(0x1.62e43p-1f, 0x1.62e42fefa39efp-1);
}
template <class V>
INLINE V ln2_high() {
  return number<V>(0x1.62e4p-1f, 0x1.62e42fefa38p-1);
}
template <class V>
INLINE V ln2_low() {
  return number<V>(0x1.7f7d1cp-20f, 0x1.ef35793c7673p-45);
}
/// log2 e, rounded, and the rest.
template <class V>
INLINE V log2e() {
  return number<V>(0x1.715476p0f, 0x1.71547652b82fep0);
}
template <class V>
INLINE V log2e_low() {
  return number<V>(0x1.4ae0cp-26f, 0x1.777d0ffda0d24p-56);
}

template <class V>
INLINE V infinity() {
  return V(element_of<V>(__builtin_inff()));
}
template <class V>
INLINE V quiet_nan() {
  return V(element_of<V>(__builtin_nanf("")));
}

template <class V>
INLINE V muladd(V a, V b, V c) {
  return __builtin_elementwise_fma(a, b, c);
}
template <class V>
INLINE V magnitude(V x) {
  return __builtin_elementwise_abs(x);
}
template <class V>
INLINE V with_sign(V x, V sign) {
  return __builtin_elementwise_copysign(x, sign);
}
template <class V>
INLINE V square_root(V x) {
  return __builtin_elementwise_sqrt(x);
}
template <class V>
INLINE V to_even(V x) {
  return __builtin_elementwise_rint(x);
}
template <class V>
INLINE V to_zero(V x) {
  return __builtin_elementwise_trunc(x);
}
template <class V>
INLINE V to_floor(V x) {
  return __builtin_elementwise_floor(x);
}

template <class V>
INLINE int_of<V> bits(V x) {
  return bits_as<int_of<V>>(x);
}
// Operations on short have the type int: the results are named, so that they are converted back.
template <class V>
INLINE V sign_bit_of(V x) {
  const int_of<V> sign = bits(x) & bits(V(element_of<V>(-0.0f)));
  return bits_as<V>(sign);
}
template <class V>
INLINE V xor_sign(V x, V sign) {
  const int_of<V> y = bits(x) ^ bits(sign_bit_of(sign));
  return bits_as<V>(y);
}
/// True for negative numbers, -0, and NaN with a sign bit.
template <class V>
INLINE auto is_negative(V x) {
  return bits(x) < int_of<V>(0);
}
template <class V>
INLINE auto is_infinite(V x) {
  return magnitude(x) == infinity<V>();
}

/// A NaN stays a NaN; x otherwise limited from below (above).
template <class V>
INLINE V at_least(V x, V low) {
  return x < low ? low : x;
}
template <class V>
INLINE V at_most(V x, V high) {
  return x > high ? high : x;
}

/// c0 + c1 x + c2 x² ..., by Horner's rule, which needs the fewest instructions. The CPU hides the latency of the chain
/// if it works at other work-items meanwhile.
template <class V>
INLINE V polynomial(V, element_of<V> c0) {
  return V(c0);
}
template <class V, class... C>
INLINE V polynomial(V x, element_of<V> c0, C... more) {
  return muladd(polynomial(x, element_of<V>(more)...), x, V(c0));
}

/// An unevaluated sum of two numbers, |low| at most about an ulp of high unless said otherwise.
template <class V>
struct Pair {
  V high, low;
};

template <class V>
INLINE Pair<V> even_and_odd(V, element_of<V> c0, element_of<V> c1) {
  return {V(c0), V(c1)};
}
template <class V>
INLINE Pair<V> even_and_odd(V z, element_of<V> c0, element_of<V> c1, element_of<V> c2) {
  return {muladd(V(c2), z, V(c0)), V(c1)};
}
template <class V, class... C>
INLINE Pair<V> even_and_odd(V z, element_of<V> c0, element_of<V> c1, element_of<V> c2, element_of<V> c3,
                            C... more) {
  const Pair<V> rest = even_and_odd(z, c2, c3, more...);
  return {muladd(rest.high, z, V(c0)), muladd(rest.low, z, V(c1))};
}
/// The same as polynomial(), for z = x², as two chains, one of the even and one of the odd powers: for polynomials
/// whose single chain would be too long for the CPU to hide its latency.
template <class V, class... C>
INLINE V polynomial_in_halves(V x, V z, C... c) {
  const Pair<V> halves = even_and_odd(z, element_of<V>(c)...);
  return muladd(halves.low, x, halves.high);
}

/// True if the condition holds for any element. Conditions on scalars are bool, and combinations of such conditions
/// int.
INLINE bool any_of(bool condition) {
  return condition;
}
INLINE bool any_of(int condition) {
  return condition != 0;
}
template <class M>
INLINE bool any_of(M condition) {
  return __builtin_reduce_or(condition) != 0;
}

/// 2^n for -bias < n <= bias.
template <class V>
INLINE V power_of_two(int_of<V> n) {
  using E = element_of<int_of<V>>;
  return bits_as<V>((n + int_of<V>(E(exponent_bias<V>))) << int_of<V>(E(significand_bits<V>)));
}

template <class V>
INLINE V smallest_normal() {
  return power_of_two<V>(int_of<V>(element_of<int_of<V>>(1 - exponent_bias<V>)));
}

/// x 2^n for normal x and results. Only the low bits of n count.
template <class V>
INLINE V add_to_exponent(V x, int_of<V> n) {
  return bits_as<V>(bits(x) + (n << int_of<V>(element_of<int_of<V>>(significand_bits<V>))));
}

/// If this number is added to a small x, the low bits of the sum are x rounded to an integer.
template <class V>
INLINE V round_magic() {
  return number<V>(0x1.8p23f, 0x1.8p52);
}

/// x 2^n, rounded once, for 0.5 <= |x| <= 2 and |n| below twice the bias. Only the low bits of n count.
template <class V>
INLINE V scaled(V x, int_of<V> n) {
  // SSE and AVX2 have only a logical shift of 64-bit integers.
  const int_of<V> half_way = bits_as<int_of<V>>(bits_as<uint_of<V>>(n) >> uint_of<V>(1));
  return x * power_of_two<V>(half_way) * power_of_two<V>(n - half_way);
}

/// a + b exactly, for |a| >= |b| or a = 0.
template <class V>
INLINE Pair<V> fast_sum(V a, V b) {
  const V high = a + b;
  return {high, b - (high - a)};
}
template <class V>
INLINE Pair<V> exact_sum(V a, V b) {
  const V high = a + b, b_part = high - a;
  return {high, (a - (high - b_part)) + (b - b_part)};
}
template <class V>
INLINE Pair<V> exact_product(V a, V b) {
  const V high = a * b;
  return {high, muladd(a, b, -high)};
}

/// The type that a body computes in: V, or float for half.
template <class V>
struct working {
  using type = V;
};
template <int N>
struct working<half __attribute__((ext_vector_type(N)))> {
  using type = vector_of<float, N>;
};
template <>
struct working<half> {
  using type = float;
};
template <class V>
using working_type = typename working<V>::type;
template <class V>
using float_like = with_element<V, float>;
template <class V>
using int_like = with_element<V, int>;
template <class V>
using double_like = with_element<V, double>;

/// f(x...); for halves through float, rounded once at the end.
template <class V, class F, class... Vs>
INLINE V lifted(F f, V x, Vs... more) {
  if constexpr (is_half<V>)
    return cast<V>(f(cast<float_like<V>>(x), cast<float_like<V>>(more)...));
  else
    return f(x, more...);
}
/// The same, by another function for halves.
template <class V, class F, class H, class... Vs>
INLINE V lifted_by(F f, H half_f, V x, Vs... more) {
  if constexpr (is_half<V>)
    return lifted(half_f, x, more...);
  else
    return f(x, more...);
}

} // namespace

/// A function template as an argument.
#define AS_FUNCTION(name) [](auto... x) __attribute__((always_inline)) { return name(x...); }

/// The public function `name` with the body `body`, for one type. `half_body` is a faster body for float that is used
/// for half, because its result is as good after it has been rounded to half.
#define DEFINE_UNARY(T, name, body) DEFINE_UNARY_AND_HALF(T, name, body, body)
#define DEFINE_UNARY_AND_HALF(T, name, body, half_body)                                                      \
  T name(T x) {                                                                                              \
    return lifted_by(AS_FUNCTION(body), AS_FUNCTION(half_body), x);                                          \
  }
#define DEFINE_BINARY(T, name, body) DEFINE_BINARY_AND_HALF(T, name, body, body)
#define DEFINE_BINARY_AND_HALF(T, name, body, half_body)                                                     \
  T name(T x, T y) {                                                                                         \
    return lifted_by(AS_FUNCTION(body), AS_FUNCTION(half_body), x, y);                                       \
  }

/// The public function `name` with a second result through a pointer into any writable address space.
#define DEFINE_WITH_OUT(T, Out, name, body)                                                                  \
  DEFINE_OUT_IN(T, Out, __global, name, body)                                                                \
  DEFINE_OUT_IN(T, Out, __local, name, body)                                                                 \
  DEFINE_OUT_IN(T, Out, __private, name, body)                                                               \
  DEFINE_OUT_IN(T, Out, __generic, name, body)
#define DEFINE_OUT_IN(T, Out, space, name, body)                                                             \
  T name(T x, space Out* second) {                                                                           \
    Out out;                                                                                                 \
    const T y = body(x, out);                                                                                \
    *second = out;                                                                                           \
    return y;                                                                                                \
  }
