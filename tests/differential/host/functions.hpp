#pragma once

// Built-in functions, as the specification words them, for numbers; and for vectors by their elements.

template <class A>
struct unsigned_element;
#define HOSTCL_UNSIGNED(T, U)                                                                                \
  template <>                                                                                                \
  struct unsigned_element<T> {                                                                               \
    using type = U;                                                                                          \
  };
HOSTCL_UNSIGNED(char, uchar)
HOSTCL_UNSIGNED(uchar, uchar)
HOSTCL_UNSIGNED(short, ushort)
HOSTCL_UNSIGNED(ushort, ushort)
HOSTCL_UNSIGNED(int, uint)
HOSTCL_UNSIGNED(uint, uint)
HOSTCL_UNSIGNED(long, ulong)
HOSTCL_UNSIGNED(ulong, ulong)
#undef HOSTCL_UNSIGNED
template <class T>
using unsigned_t = typename unsigned_element<T>::type;

using wide = __int128;

template <class T>
T saturated(wide x) {
  return x < wide(least<T>()) ? least<T>() : x > wide(most<T>()) ? most<T>() : T(x);
}

/// FUNCTION(x, y): the text for one element, of type T.
#define HOSTCL_UNARY(name, result, text)                                                                     \
  template <Number T>                                                                                        \
  result name(T x) {                                                                                         \
    return text;                                                                                             \
  }                                                                                                          \
  template <Elements V>                                                                                      \
  auto name(const V& v) {                                                                                    \
    vec<decltype(name(v.get(0))), V::elements> out;                                                          \
    for (int i = 0; i < V::elements; ++i)                                                                    \
      out.set(i, name(v.get(i)));                                                                            \
    return out;                                                                                              \
  }
#define HOSTCL_BINARY(name, result, text)                                                                    \
  template <Number T>                                                                                        \
  result name(T x, T y) {                                                                                    \
    return text;                                                                                             \
  }                                                                                                          \
  template <class A, class B>                                                                                \
    requires Operands<A, B>                                                                                  \
  auto name(const A& left, const B& right) {                                                                 \
    const common_t<A, B> a(left), b(right);                                                                  \
    vec<decltype(name(a.get(0), b.get(0))), common_t<A, B>::elements> out;                                   \
    for (int i = 0; i < common_t<A, B>::elements; ++i)                                                       \
      out.set(i, name(a.get(i), b.get(i)));                                                                  \
    return out;                                                                                              \
  }
#define HOSTCL_TERNARY(name, text)                                                                           \
  template <Number T>                                                                                        \
  T name(T x, T y, T z) {                                                                                    \
    return text;                                                                                             \
  }                                                                                                          \
  template <Elements A, class B, class C>                                                                    \
  auto name(const A& first, const B& second, const C& third) {                                               \
    using V = vec<typename A::element, A::elements>;                                                         \
    const V a(first), b(second), c(third);                                                                   \
    V out;                                                                                                   \
    for (int i = 0; i < V::elements; ++i)                                                                    \
      out.set(i, name(a.get(i), b.get(i), c.get(i)));                                                        \
    return out;                                                                                              \
  }

template <class T>
int leading_zeros(T x) {
  int count = 0;
  for (int bit = sizeof(T) * 8 - 1; bit >= 0 && !(unsigned_t<T>(x) >> bit & 1); --bit)
    ++count;
  return count;
}

HOSTCL_UNARY(abs, unsigned_t<T>, x < 0 ? unsigned_t<T>(0) - unsigned_t<T>(x) : unsigned_t<T>(x))
HOSTCL_UNARY(popcount, T, T(__builtin_popcountl(unsigned_t<T>(x))))
HOSTCL_UNARY(clz, T, T(leading_zeros(x)))
HOSTCL_BINARY(min, T, y < x ? y : x)
HOSTCL_BINARY(max, T, x < y ? y : x)
HOSTCL_BINARY(add_sat, T, saturated<T>(wide(x) + y))
HOSTCL_BINARY(sub_sat, T, saturated<T>(wide(x) - y))
HOSTCL_BINARY(hadd, T, T((wide(x) + y) >> 1))
HOSTCL_BINARY(rhadd, T, T((wide(x) + y + 1) >> 1))
HOSTCL_BINARY(mul_hi, T,
              T(is_signed<T> ? (wide(x) * y) >> (sizeof(T) * 8)
                             : wide((unsigned __int128)(x)*y >> (sizeof(T) * 8))))
HOSTCL_BINARY(abs_diff, unsigned_t<T>,
              x > y ? unsigned_t<T>(x) - unsigned_t<T>(y) : unsigned_t<T>(y) - unsigned_t<T>(x))
HOSTCL_BINARY(rotate, T,
              T((unsigned_t<T>(x) << (y & (sizeof(T) * 8 - 1))) |
                (unsigned_t<T>(x) >> ((sizeof(T) * 8 - (y & (sizeof(T) * 8 - 1))) & (sizeof(T) * 8 - 1)))))
HOSTCL_TERNARY(bitselect, T((x & ~z) | (y & z)))
HOSTCL_TERNARY(clamp, x<y ? y : x> z ? z : x)

inline int mul24(int x, int y) {
  return x * y;
}
inline bool isnan(float x) {
  return __builtin_isnan(x);
}
inline bool isnan(double x) {
  return __builtin_isnan(x);
}
#define HOSTCL_FLOATS(name, of_float, of_double)                                                             \
  inline float name(float x) {                                                                               \
    return of_float(x);                                                                                      \
  }                                                                                                          \
  inline double name(double x) {                                                                             \
    return of_double(x);                                                                                     \
  }                                                                                                          \
  template <Elements V>                                                                                      \
  auto name(const V& v) {                                                                                    \
    vec<typename V::element, V::elements> out;                                                               \
    for (int i = 0; i < V::elements; ++i)                                                                    \
      out.set(i, name(v.get(i)));                                                                            \
    return out;                                                                                              \
  }
HOSTCL_FLOATS(fabs, __builtin_fabsf, __builtin_fabs)
HOSTCL_FLOATS(floor, __builtin_floorf, __builtin_floor)
HOSTCL_FLOATS(sin, __builtin_sinf, __builtin_sin)
HOSTCL_FLOATS(cos, __builtin_cosf, __builtin_cos)
HOSTCL_FLOATS(trunc, __builtin_truncf, __builtin_trunc)
inline float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
inline double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}

template <Elements A, Elements B, Elements C>
auto select(const A& first, const B& second, const C& chosen) {
  vec<typename A::element, A::elements> a(first), b(second), out;
  for (int i = 0; i < A::elements; ++i)
    out.set(i, chosen.get(i) < 0 ? b.get(i) : a.get(i));
  return out;
}
template <Elements V>
int any(const V& v) {
  int result = 0;
  for (int i = 0; i < V::elements; ++i)
    result |= v.get(i) < 0;
  return result;
}
template <Elements V>
int all(const V& v) {
  return !any(~v);
}
template <Elements V, Elements M>
auto shuffle(const V& v, const M& mask) {
  vec<typename V::element, M::elements> out;
  for (int i = 0; i < M::elements; ++i)
    out.set(i, v.get(mask.get(i) & (V::elements - 1)));
  return out;
}

template <class To, class From>
To reinterpreted(const From& from) {
  To to;
  static_assert(sizeof to == sizeof from);
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}
/// `from` with each of its elements converted.
template <class To, class From, class Convert>
To each(const From& from, Convert convert) {
  To to;
  for (int i = 0; i < To::elements; ++i)
    to.set(i, convert(from.get(i)));
  return to;
}

#define HOSTCL_LOADS(n)                                                                                      \
  template <class T>                                                                                         \
  auto vload##n(size_t at, const T* p) {                                                                     \
    vec<T, n> out;                                                                                           \
    for (int i = 0; i < n; ++i)                                                                              \
      out.set(i, p[at * n + i]);                                                                             \
    return out;                                                                                              \
  }                                                                                                          \
  template <class T, class V>                                                                                \
  void vstore##n(const V& value, size_t at, T* p) {                                                          \
    for (int i = 0; i < n; ++i)                                                                              \
      p[at * n + i] = value.get(i);                                                                          \
  }
#define HOSTCL_CONVERSIONS(T, n)                                                                             \
  template <class A>                                                                                         \
  auto as_##T##n(const A& x) {                                                                               \
    return reinterpreted<vec<T, n>>(x);                                                                      \
  }                                                                                                          \
  template <class A>                                                                                         \
  auto convert_##T##n(const A& x) {                                                                          \
    return each<vec<T, n>>(x, [](auto element) { return convert_##T(element); });                            \
  }                                                                                                          \
  template <class A>                                                                                         \
  auto convert_##T##n##_sat(const A& x) {                                                                    \
    return each<vec<T, n>>(x, [](auto element) { return convert_##T##_sat(element); });                      \
  }
#define HOSTCL_TYPE(T)                                                                                       \
  template <class A>                                                                                         \
  T as_##T(const A& x) {                                                                                     \
    return reinterpreted<T>(x);                                                                              \
  }                                                                                                          \
  template <class A>                                                                                         \
  T convert_##T(const A& x) {                                                                                \
    return static_cast<T>(x);                                                                                \
  }                                                                                                          \
  template <class A>                                                                                         \
  T convert_##T##_sat(const A& x) {                                                                          \
    return saturated<T>(x);                                                                                  \
  }                                                                                                          \
  HOSTCL_CONVERSIONS(T, 2)                                                                                   \
  HOSTCL_CONVERSIONS(T, 3)                                                                                   \
  HOSTCL_CONVERSIONS(T, 4)                                                                                   \
  HOSTCL_CONVERSIONS(T, 8)                                                                                   \
  HOSTCL_CONVERSIONS(T, 16)
HOSTCL_LOADS(2)
HOSTCL_LOADS(3)
HOSTCL_LOADS(4)
HOSTCL_LOADS(8)
HOSTCL_LOADS(16)
HOSTCL_TYPE(char)
HOSTCL_TYPE(uchar)
HOSTCL_TYPE(short)
HOSTCL_TYPE(ushort)
HOSTCL_TYPE(int)
HOSTCL_TYPE(uint)
HOSTCL_TYPE(long)
HOSTCL_TYPE(ulong)
HOSTCL_TYPE(float)
HOSTCL_TYPE(double)
inline float vload_half(size_t at, const half* p) {
  return static_cast<float>(p[at]);
}

// --- Atomics of the only work-item that runs

#define HOSTCL_ATOMIC(name, combined)                                                                        \
  template <class T, class U>                                                                                \
  T atomic_##name(volatile T* place, U operand) {                                                            \
    const T old = *place, by = static_cast<T>(operand);                                                      \
    *place = combined;                                                                                       \
    return old;                                                                                              \
  }                                                                                                          \
  template <class T, class U>                                                                                \
  T atom_##name(volatile T* place, U operand) {                                                              \
    return atomic_##name(place, operand);                                                                    \
  }                                                                                                          \
  template <class T, class U>                                                                                \
  T atomic_fetch_##name##_explicit(volatile T* place, U operand, memory_order,                               \
                                   memory_scope = memory_scope_device) {                                     \
    return atomic_##name(place, operand);                                                                    \
  }
HOSTCL_ATOMIC(add, static_cast<unsigned_t<T>>(old) + static_cast<unsigned_t<T>>(by))
HOSTCL_ATOMIC(sub, static_cast<unsigned_t<T>>(old) - static_cast<unsigned_t<T>>(by))
HOSTCL_ATOMIC(and, old& by)
HOSTCL_ATOMIC(or, old | by)
HOSTCL_ATOMIC(xor, old ^ by)
HOSTCL_ATOMIC(min, by < old ? by : old)
HOSTCL_ATOMIC(max, old < by ? by : old)
HOSTCL_ATOMIC(xchg, by)
template <class T>
T atomic_inc(volatile T* place) {
  return atomic_add(place, 1);
}
template <class T>
T atomic_dec(volatile T* place) {
  return atomic_sub(place, 1);
}
template <class T>
T atom_inc(volatile T* place) {
  return atomic_add(place, 1);
}
template <class T, class U, class W>
T atomic_cmpxchg(volatile T* place, U expected, W desired) {
  const T old = *place;
  if (old == static_cast<T>(expected)) *place = static_cast<T>(desired);
  return old;
}
template <class T, class U>
void atomic_store_explicit(volatile T* place, U value, memory_order, memory_scope = memory_scope_device) {
  *place = static_cast<T>(value);
}
template <class T>
T atomic_load_explicit(const volatile T* place, memory_order, memory_scope = memory_scope_device) {
  return *place;
}
template <class T, class U>
bool atomic_compare_exchange_strong_explicit(volatile T* place, T* expected, U desired, memory_order,
                                             memory_order, memory_scope = memory_scope_device) {
  const T old = *place;
  if (old != *expected) {
    *expected = old;
    return false;
  }
  *place = static_cast<T>(desired);
  return true;
}
template <class T, class U>
T atomic_exchange_explicit(volatile T* place, U value, memory_order, memory_scope = memory_scope_device) {
  return atomic_xchg(place, value);
}
