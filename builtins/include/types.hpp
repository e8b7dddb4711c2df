#pragma once

// The one list of types and widths of the built-in library, and the templates with which bodies are written
// once for all of them. Included by every *.clcpp file; opencl-c-base.h is included before it on the command
// line.
//
// A family is the set of overloads of one built-in function. It is written as a template over a scalar or
// vector type in an anonymous namespace, and one line that defines the public overloads:
//
//   namespace {
//   template <class V> V my_hadd(V a, V b) { return (a & b) + ((a ^ b) >> one<V>); }
//   }
//   #define DEFINE(T) T hadd(T a, T b) { return my_hadd(a, b); }
//   FOR_EACH_INTEGER(DEFINE)
//
// Only functions outside anonymous namespaces are visible to kernels.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The list.

/// M(n) for each vector width; M(T) for the scalar T and its vectors.
#define FOR_EACH_WIDTH_OF(M, T) M(T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
#define FOR_EACH_VECTOR_OF(M, T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)

/// M(T) for the scalar types of a kind.
#define FOR_EACH_SIGNED_SCALAR(M) M(char) M(short) M(int) M(long)
#define FOR_EACH_UNSIGNED_SCALAR(M) M(uchar) M(ushort) M(uint) M(ulong)
#define FOR_EACH_INTEGER_SCALAR(M) FOR_EACH_SIGNED_SCALAR(M) FOR_EACH_UNSIGNED_SCALAR(M)
#define FOR_EACH_FLOAT_SCALAR(M) M(half) M(float) M(double)
#define FOR_EACH_SCALAR(M) FOR_EACH_INTEGER_SCALAR(M) FOR_EACH_FLOAT_SCALAR(M)

/// M(T) for the types of a kind in every width.
#define FOR_EACH_SIGNED(M)                                                                                   \
  FOR_EACH_WIDTH_OF(M, char) FOR_EACH_WIDTH_OF(M, short) FOR_EACH_WIDTH_OF(M, int) FOR_EACH_WIDTH_OF(M, long)
#define FOR_EACH_UNSIGNED(M)                                                                                 \
  FOR_EACH_WIDTH_OF(M, uchar)                                                                                \
  FOR_EACH_WIDTH_OF(M, ushort) FOR_EACH_WIDTH_OF(M, uint) FOR_EACH_WIDTH_OF(M, ulong)
#define FOR_EACH_INTEGER(M) FOR_EACH_SIGNED(M) FOR_EACH_UNSIGNED(M)
#define FOR_EACH_FLOAT(M) FOR_EACH_WIDTH_OF(M, half) FOR_EACH_WIDTH_OF(M, float) FOR_EACH_WIDTH_OF(M, double)
#define FOR_EACH_TYPE(M) FOR_EACH_INTEGER(M) FOR_EACH_FLOAT(M)
/// Vectors only.
// clang-format off
#define FOR_EACH_VECTOR(M)                                                                                   \
  FOR_EACH_VECTOR_OF(M, char) FOR_EACH_VECTOR_OF(M, uchar) FOR_EACH_VECTOR_OF(M, short)                      \
  FOR_EACH_VECTOR_OF(M, ushort) FOR_EACH_VECTOR_OF(M, int) FOR_EACH_VECTOR_OF(M, uint)                       \
  FOR_EACH_VECTOR_OF(M, long) FOR_EACH_VECTOR_OF(M, ulong) FOR_EACH_FLOAT_VECTOR(M)
// clang-format on
#define FOR_EACH_FLOAT_VECTOR(M)                                                                             \
  FOR_EACH_VECTOR_OF(M, half) FOR_EACH_VECTOR_OF(M, float) FOR_EACH_VECTOR_OF(M, double)

// Traits.

namespace {

template <class E, int N>
struct make_vector {
  using type = E __attribute__((ext_vector_type(N)));
};
template <class E>
struct make_vector<E, 1> {
  using type = E;
};
/// The vector of N elements of type E; E itself for N = 1.
template <class E, int N>
using vector_of = typename make_vector<E, N>::type;

template <class T>
struct traits {
  using element = T;
  static constexpr int width = 1;
};
template <class E, int N>
struct traits<E __attribute__((ext_vector_type(N)))> {
  using element = E;
  static constexpr int width = N;
};
template <class V>
using element_of = typename traits<V>::element;
template <class V>
inline constexpr __constant int width_of = traits<V>::width;

template <int Bytes>
struct integer_of_size;
template <>
struct integer_of_size<1> {
  using s = char;
  using u = uchar;
};
template <>
struct integer_of_size<2> {
  using s = short;
  using u = ushort;
};
template <>
struct integer_of_size<4> {
  using s = int;
  using u = uint;
};
template <>
struct integer_of_size<8> {
  using s = long;
  using u = ulong;
};

/// The signed (unsigned) integer type of the same shape: element size and width of V.
template <class V>
using int_of = vector_of<typename integer_of_size<sizeof(element_of<V>)>::s, traits<V>::width>;
template <class V>
using uint_of = vector_of<typename integer_of_size<sizeof(element_of<V>)>::u, traits<V>::width>;
/// V with its elements replaced by E.
template <class V, class E>
using with_element = vector_of<E, traits<V>::width>;

template <class A, class B>
struct same {
  static constexpr bool value = false;
};
template <class A>
struct same<A, A> {
  static constexpr bool value = true;
};
template <class V>
inline constexpr __constant bool is_float =
    same<element_of<V>, half>::value || same<element_of<V>, float>::value ||
    same<element_of<V>, double>::value;
template <class V>
inline constexpr __constant bool is_signed = element_of<V>(-1) < element_of<V>(0);
template <class V>
inline constexpr __constant bool is_vector = (traits<V>::width > 1);
template <class V>
inline constexpr __constant int bits_of = 8 * sizeof(element_of<V>);

// Helpers that hide the difference between scalars and vectors.

/// All elements equal to x.
template <class V>
V splat(element_of<V> x) {
  return V(x);
}

/// The bits of x as another type of the same size.
template <class To, class From>
To bits_as(From x) {
  return __builtin_astype(x, To);
}

/// Each element converted as by a C cast; V and To have the same width.
template <class To, class V>
To cast(V x) {
  if constexpr (is_vector<V>)
    return __builtin_convertvector(x, To);
  else
    return static_cast<To>(x);
}

/// condition ? a : b for each element. The condition is the result of a comparison of Vs: bool for scalars, 0
/// or -1 for each element of vectors.
template <class V, class C>
V pick(C condition, V a, V b) {
  return condition ? a : b;
}

/// Element i of a vector; the scalar itself for i = 0.
template <class V>
element_of<V> get(V x, int i) {
  if constexpr (is_vector<V>)
    return x[i];
  else
    return x;
}
template <class V>
void set(__private V& x, int i, element_of<V> value) {
  if constexpr (is_vector<V>)
    x[i] = value;
  else
    x = value;
}

/// A function of scalars, element by element: R(f(x[i])), R(f(x[i], y[i])) ...
template <class R, class F, class V, class... Vs>
R map(F f, V x, Vs... more) {
  if constexpr (!is_vector<V>)
    return f(x, more...);
  else {
    R result;
#pragma unroll
    for (int i = 0; i < traits<V>::width; ++i)
      result[i] = f(x[i], more[i]...);
    return result;
  }
}

} // namespace
