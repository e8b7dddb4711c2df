#pragma once

// Sub-group operations as templates over every scalar type: the intrinsic for the type's size and kind.

#include "intrinsics.hpp"
#include "types.hpp"

namespace {

enum class Op { add, mul, min, max, and_, or_, xor_ };
enum class Span { reduce, inclusive, exclusive };

/// x OP y, as the intrinsics compute it: integers wrap.
template <Op op, class T>
T apply(T x, T y) {
  if constexpr (!is_float<T> && op == Op::add)
    return T(ulong(x) + ulong(y));
  else if constexpr (!is_float<T> && op == Op::mul)
    return T(ulong(x) * ulong(y));
  else if constexpr (op == Op::add)
    return x + y;
  else if constexpr (op == Op::mul)
    return x * y;
  else if constexpr (op == Op::and_)
    return x & y;
  else if constexpr (op == Op::or_)
    return x | y;
  else if constexpr (op == Op::xor_)
    return x ^ y;
  else if constexpr (op == Op::min && is_float<T>)
    return __builtin_elementwise_minnum(x, y);
  else if constexpr (op == Op::max && is_float<T>)
    return __builtin_elementwise_maxnum(x, y);
  else if constexpr (op == Op::min)
    return __builtin_elementwise_min(x, y);
  else
    return __builtin_elementwise_max(x, y);
}

/// The identity element, which changes neither the sign of zero nor NaN: identity OP y is y.
template <Op op, class T>
T neutral() {
  if constexpr (op == Op::mul)
    return T(1);
  else if constexpr (op == Op::and_)
    return T(~T(0));
  else if constexpr (is_float<T>)
    return T(op == Op::add ? -0.0f : __builtin_nanf(""));
  else if constexpr (op == Op::min)
    return is_signed<T> ? T((1ul << (bits_of<T> - 1)) - 1) : T(~0ul);
  else if constexpr (op == Op::max)
    return is_signed<T> ? T(1ul << (bits_of<T> - 1)) : T(0);
  else
    return T(0);
}

/// The first value of an exclusive scan in kernels (OpenCL C 3.0, 6.15.15).
template <Op op, class T>
T scan_start() {
  if constexpr (is_float<T> && op == Op::add)
    return T(0);
  else if constexpr (is_float<T> && op == Op::min)
    return T(__builtin_inff());
  else if constexpr (is_float<T> && op == Op::max)
    return T(-__builtin_inff());
  else
    return neutral<op, T>();
}

/// The intrinsics of one LLVM type.
template <class Signed>
struct lanes;
#define HOSTCL_SPANS(T, suffix, op)                                                                          \
  template <Span span>                                                                                       \
  static T op##_(T x) {                                                                                      \
    if constexpr (span == Span::reduce)                                                                      \
      return __hostcl_sub_group_reduce_##op##_##suffix(x);                                                   \
    else if constexpr (span == Span::inclusive)                                                              \
      return __hostcl_sub_group_scan_inclusive_##op##_##suffix(x);                                           \
    else                                                                                                     \
      return __hostcl_sub_group_scan_exclusive_##op##_##suffix(x);                                           \
  }
#define HOSTCL_LANES_MEMBERS(T, suffix)                                                                      \
  static T shuffle(T x, uint lane) {                                                                         \
    return __hostcl_sub_group_shuffle_##suffix(x, lane);                                                     \
  }                                                                                                          \
  static T broadcast(T x, uint lane) {                                                                       \
    return __hostcl_sub_group_broadcast_##suffix(x, lane);                                                   \
  }                                                                                                          \
  static T first(T x) {                                                                                      \
    return __hostcl_sub_group_first_##suffix(x);                                                             \
  }                                                                                                          \
  HOSTCL_SPANS(T, suffix, add)                                                                               \
  HOSTCL_SPANS(T, suffix, mul) HOSTCL_SPANS(T, suffix, min) HOSTCL_SPANS(T, suffix, max)
#define HOSTCL_FLOAT_LANES(T, suffix)                                                                        \
  template <>                                                                                                \
  struct lanes<T> {                                                                                          \
    HOSTCL_LANES_MEMBERS(T, suffix)                                                                          \
  };
#define HOSTCL_INTEGER_LANES(T, suffix)                                                                      \
  template <>                                                                                                \
  struct lanes<T> {                                                                                          \
    HOSTCL_LANES_MEMBERS(T, suffix)                                                                          \
    HOSTCL_SPANS(T, suffix, umin)                                                                            \
    HOSTCL_SPANS(T, suffix, umax)                                                                            \
    HOSTCL_SPANS(T, suffix, and) HOSTCL_SPANS(T, suffix, or) HOSTCL_SPANS(T, suffix, xor)                    \
  };
HOSTCL_INTEGER_LANES(char, i8)
HOSTCL_INTEGER_LANES(short, i16)
HOSTCL_INTEGER_LANES(int, i32)
HOSTCL_INTEGER_LANES(long, i64)
HOSTCL_FLOAT_LANES(half, f16)
HOSTCL_FLOAT_LANES(float, f32)
HOSTCL_FLOAT_LANES(double, f64)

/// The type whose intrinsics serve T: T itself for floating point, else the signed type of its size.
template <class T, bool = is_float<T>>
struct lane_type {
  using type = T;
};
template <class T>
struct lane_type<T, false> {
  using type = int_of<T>;
};
template <class T>
using lane_type_of = typename lane_type<T>::type;

// The operations. Vectors go element by element.
template <class V>
V lane_shuffle(V x, uint lane) {
  return map<V>(
      [lane](auto e) {
        using T = lane_type_of<decltype(e)>;
        return bits_as<decltype(e)>(lanes<T>::shuffle(bits_as<T>(e), lane));
      },
      x);
}
template <class V>
V lane_broadcast(V x, uint lane) {
  return map<V>(
      [lane](auto e) {
        using T = lane_type_of<decltype(e)>;
        return bits_as<decltype(e)>(lanes<T>::broadcast(bits_as<T>(e), lane));
      },
      x);
}
template <class V>
V lane_first(V x) {
  return map<V>(
      [](auto e) {
        using T = lane_type_of<decltype(e)>;
        return bits_as<decltype(e)>(lanes<T>::first(bits_as<T>(e)));
      },
      x);
}

/// Reduction or scan over the active lanes.
template <Op op, Span span, class T>
T lane_combine(T x) {
  using L = lane_type_of<T>;
  using I = lanes<L>;
  constexpr bool is_unsigned = !is_float<T> && !is_signed<T>;
  L value = bits_as<L>(x);
  if constexpr (op == Op::add)
    value = I::template add_<span>(value);
  else if constexpr (op == Op::mul)
    value = I::template mul_<span>(value);
  else if constexpr (op == Op::and_)
    value = I::template and_<span>(value);
  else if constexpr (op == Op::or_)
    value = I::template or_<span>(value);
  else if constexpr (op == Op::xor_)
    value = I::template xor_<span>(value);
  else if constexpr (op == Op::min && is_unsigned)
    value = I::template umin_<span>(value);
  else if constexpr (op == Op::max && is_unsigned)
    value = I::template umax_<span>(value);
  else if constexpr (op == Op::min)
    value = I::template min_<span>(value);
  else
    value = I::template max_<span>(value);
  return bits_as<T>(value);
}

/// An exclusive scan over the active lanes, as kernels see it.
template <Op op, class T>
T lane_scan_exclusive(T x) {
  T before = lane_combine<op, Span::exclusive>(x);
  if constexpr (!is_float<T>) return before;
  uint lane = __hostcl_sub_group_lane();
  return lane_first(lane) == lane ? scan_start<op, T>() : before;
}

// The position of the work-item.
size_t local_linear_id() {
  return (__hostcl_local_id(2) * __hostcl_local_size(1) + __hostcl_local_id(1)) * __hostcl_local_size(0) +
         __hostcl_local_id(0);
}
uint group_items() {
  return __hostcl_local_size(0) * __hostcl_local_size(1) * __hostcl_local_size(2);
}

/// Position of lane 0, the same for all lanes: both terms grow by one from lane to lane.
uint sub_group_begin() {
  return (uint)local_linear_id() - __hostcl_sub_group_lane();
}
uint sub_group_number() {
  return sub_group_begin() / __hostcl_sub_group_stride();
}
uint sub_groups_for(uint items, uint size) {
  return (items + size - 1) / size;
}
/// Sub-groups of this group.
uint sub_group_count() {
  return sub_groups_for(group_items(), __hostcl_sub_group_stride());
}
/// Lanes of this sub-group; the last one of a group may be partial.
uint sub_group_items() {
  uint left = group_items() - sub_group_begin(), size = __hostcl_sub_group_stride();
  return left < size ? left : size;
}

} // namespace
