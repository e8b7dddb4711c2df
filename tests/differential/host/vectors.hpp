#pragma once

// OpenCL's scalar and vector types: elements in memory, and the selections of them that random kernels name.

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

template <class T>
constexpr bool is_number = __is_enum(T);
#define HOSTCL_NUMBER(T)                                                                                     \
  template <>                                                                                                \
  constexpr bool is_number<T> = true;
HOSTCL_NUMBER(bool)
HOSTCL_NUMBER(char)
HOSTCL_NUMBER(signed char)
HOSTCL_NUMBER(uchar)
HOSTCL_NUMBER(short)
HOSTCL_NUMBER(ushort)
HOSTCL_NUMBER(int)
HOSTCL_NUMBER(uint)
HOSTCL_NUMBER(long)
HOSTCL_NUMBER(ulong)
HOSTCL_NUMBER(_Float16)
HOSTCL_NUMBER(float)
HOSTCL_NUMBER(double)
#undef HOSTCL_NUMBER
template <class T>
concept Number = is_number<T>;
template <class V>
concept Elements = requires { V::elements; };

template <class T, int n>
struct vec;

template <class T>
struct Plain { // what a number is as a vector
  static constexpr int count = 1;
};
template <Elements V>
struct Plain<V> {
  static constexpr int count = V::elements;
};

/// Some elements of a vector whose memory this is.
template <class T, int stored, int... from>
struct pick {
  static constexpr int elements = sizeof...(from);
  using element = T;
  T all[stored];

  T get(int i) const {
    constexpr int index[] = {from...};
    return all[index[i]];
  }
  void set(int i, T value) {
    constexpr int index[] = {from...};
    all[index[i]] = value;
  }
  template <class A>
  pick& operator=(const A& value) {
    const vec<T, elements> copy(value);
    for (int i = 0; i < elements; ++i)
      set(i, copy.get(i));
    return *this;
  }
  pick& operator=(const pick& other) { return *this = vec<T, elements>(other); }
};

/// Two elements, of which others may be selected again.
template <class T, int stored, int first, int second>
union half_of {
  static constexpr int elements = 2;
  using element = T;
  pick<T, stored, first, second> both;
  pick<T, stored, second, first, second, first> yxyx;

  T get(int i) const { return both.get(i); }
  void set(int i, T value) { both.set(i, value); }
  template <class A>
  half_of& operator=(const A& value) {
    both = value;
    return *this;
  }
  half_of& operator=(const half_of& other) { return *this = vec<T, 2>(other); }
};

template <class T, int n>
struct selected {
  T all[n];
};
template <class T>
struct selected<T, 2> {
  union {
    T all[2];
    struct {
      T x, y;
    };
    struct {
      T s0, s1;
    };
    struct {
      T lo, hi;
    };
    pick<T, 2, 0, 1> xy;
    pick<T, 2, 1, 0> yx;
    pick<T, 2, 0, 0> xx;
    pick<T, 2, 1, 0, 1, 0> yxyx;
  };
};
template <class T>
struct selected<T, 3> {
  union {
    T all[4];
    struct {
      T x, y, z;
    };
    struct {
      T s0, s1, s2;
    };
    pick<T, 4, 0, 1> xy;
    pick<T, 4, 2, 0> zx;
    pick<T, 4, 2, 1, 0> zyx;
    pick<T, 4, 1, 2, 0> yzx;
  };
};
template <class T>
struct selected<T, 4> {
  union {
    T all[4];
    struct {
      T x, y, z, w;
    };
    struct {
      T s0, s1, s2, s3;
    };
    half_of<T, 4, 0, 1> lo;
    half_of<T, 4, 2, 3> hi;
    pick<T, 4, 0, 2> even, xz;
    pick<T, 4, 1, 3> odd, yw;
    pick<T, 4, 0, 1> xy;
    pick<T, 4, 1, 0> yx;
    pick<T, 4, 3, 2> wz;
    pick<T, 4, 2, 1, 0> zyx;
    pick<T, 4, 1, 2, 3> yzw;
    pick<T, 4, 3, 2, 1, 0> wzyx, s3210;
    pick<T, 4, 0, 0, 2, 2> xxzz;
    pick<T, 4, 1, 0, 3, 2> yxwz;
    pick<T, 4, 0, 1, 2, 0> xyzx;
    pick<T, 4, 2, 3, 0, 1> zwxy;
  };
};
template <class T>
struct selected<T, 8> {
  union {
    T all[8];
    struct {
      T s0, s1, s2, s3, s4, s5, s6, s7;
    };
    pick<T, 8, 0, 1, 2, 3> lo;
    pick<T, 8, 4, 5, 6, 7> hi;
    pick<T, 8, 0, 2, 4, 6> even;
    pick<T, 8, 1, 3, 5, 7> odd;
    pick<T, 8, 7, 6, 5, 4, 3, 2, 1, 0> s76543210;
    pick<T, 8, 5, 2> s52;
  };
};
template <class T>
struct selected<T, 16> {
  union {
    T all[16];
    struct {
      T s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf;
    };
    pick<T, 16, 0, 1, 2, 3, 4, 5, 6, 7> lo;
    pick<T, 16, 8, 9, 10, 11, 12, 13, 14, 15> hi;
    pick<T, 16, 0, 2, 4, 6, 8, 10, 12, 14> even;
    pick<T, 16, 1, 3, 5, 7, 9, 11, 13, 15> odd;
    pick<T, 16, 15, 10, 5, 0> sfa50;
  };
};

template <class T, int n>
struct alignas(sizeof(T) * (n == 3 ? 4 : n)) vec : selected<T, n> {
  static constexpr int elements = n;
  using element = T;

  vec() {}
  vec(const vec& other) { *this = other; }
  template <class First, class... Rest>
  vec(const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0 && Plain<First>::count == 1) {
      for (int i = 0; i < n; ++i)
        this->all[i] = static_cast<T>(first);
    } else {
      int at = 0;
      put(at, first);
      (put(at, rest), ...);
    }
  }
  vec& operator=(const vec& other) {
    for (int i = 0; i < n; ++i)
      this->all[i] = other.all[i];
    return *this;
  }

  T get(int i) const { return this->all[i]; }
  void set(int i, T value) { this->all[i] = value; }

private:
  template <class A>
  void put(int& at, const A& value) {
    if constexpr (Plain<A>::count == 1)
      this->all[at++] = static_cast<T>(value);
    else
      for (int i = 0; i < Plain<A>::count; ++i)
        this->all[at++] = value.get(i);
  }
};

/// The vector type of two operands, one of which may be a number.
template <class A, class B>
struct common {
  using type = vec<typename A::element, A::elements>;
};
template <Number A, class B>
struct common<A, B> : common<B, A> {};
template <class A, class B>
using common_t = typename common<A, B>::type;
template <class A, class B>
concept Operands = (Elements<A> && Elements<B>) || (Elements<A> && Number<B>) || (Number<A> && Elements<B>);

template <int bytes>
struct signed_of;
template <>
struct signed_of<1> {
  using type = signed char;
};
template <>
struct signed_of<2> {
  using type = short;
};
template <>
struct signed_of<4> {
  using type = int;
};
template <>
struct signed_of<8> {
  using type = long;
};
template <class T>
struct comparison_element {
  using type = typename signed_of<sizeof(T)>::type;
};
template <>
struct comparison_element<signed char> {
  using type = char;
};
template <>
struct comparison_element<char> {
  using type = char;
};
template <>
struct comparison_element<uchar> {
  using type = char;
};

#define HOSTCL_ARITHMETIC(op, how)                                                                           \
  template <class A, class B>                                                                                \
    requires Operands<A, B>                                                                                  \
  common_t<A, B> operator op(const A& left, const B& right) {                                                \
    using V = common_t<A, B>;                                                                                \
    const V a(left), b(right);                                                                               \
    V result;                                                                                                \
    for (int i = 0; i < V::elements; ++i) {                                                                  \
      const typename V::element x = a.get(i), y = b.get(i);                                                  \
      result.set(i, static_cast<typename V::element>(how));                                                  \
    }                                                                                                        \
    return result;                                                                                           \
  }                                                                                                          \
  template <Elements A, class B>                                                                             \
  A& operator op## = (A & left, const B& right) {                                                            \
    left = left op right;                                                                                    \
    return left;                                                                                             \
  }
HOSTCL_ARITHMETIC(+, x + y)
HOSTCL_ARITHMETIC(-, x - y)
HOSTCL_ARITHMETIC(*, x* y)
HOSTCL_ARITHMETIC(/, x / y)
HOSTCL_ARITHMETIC(%, x % y)
HOSTCL_ARITHMETIC(&, x& y)
HOSTCL_ARITHMETIC(|, x | y)
HOSTCL_ARITHMETIC(^, x ^ y)
HOSTCL_ARITHMETIC(<<, x << (y & (sizeof x * 8 - 1)))
HOSTCL_ARITHMETIC(>>, x >> (y & (sizeof x * 8 - 1)))
#undef HOSTCL_ARITHMETIC

#define HOSTCL_COMPARISON(op)                                                                                \
  template <class A, class B>                                                                                \
    requires Operands<A, B>                                                                                  \
  auto operator op(const A& left, const B& right) {                                                          \
    using V = common_t<A, B>;                                                                                \
    const V a(left), b(right);                                                                               \
    vec<typename comparison_element<typename V::element>::type, V::elements> result;                         \
    for (int i = 0; i < V::elements; ++i)                                                                    \
      result.set(i, a.get(i) op b.get(i) ? -1 : 0);                                                          \
    return result;                                                                                           \
  }
HOSTCL_COMPARISON(<)
HOSTCL_COMPARISON(>)
HOSTCL_COMPARISON(<=)
HOSTCL_COMPARISON(>=)
HOSTCL_COMPARISON(==)
HOSTCL_COMPARISON(!=)
HOSTCL_COMPARISON(&&)
HOSTCL_COMPARISON(||)
#undef HOSTCL_COMPARISON

template <Elements A>
vec<typename A::element, A::elements> operator-(const A& a) {
  vec<typename A::element, A::elements> result;
  for (int i = 0; i < A::elements; ++i)
    result.set(i, -a.get(i));
  return result;
}
template <Elements A>
vec<typename A::element, A::elements> operator~(const A& a) {
  return a ^ static_cast<typename A::element>(-1);
}
template <Elements A>
auto operator!(const A& a) {
  return a == 0;
}

#define HOSTCL_VECTORS(T)                                                                                    \
  using T##2 = vec<T, 2>;                                                                                    \
  using T##3 = vec<T, 3>;                                                                                    \
  using T##4 = vec<T, 4>;                                                                                    \
  using T##8 = vec<T, 8>;                                                                                    \
  using T##16 = vec<T, 16>;
HOSTCL_VECTORS(char)
HOSTCL_VECTORS(uchar)
HOSTCL_VECTORS(short)
HOSTCL_VECTORS(ushort)
HOSTCL_VECTORS(int)
HOSTCL_VECTORS(uint)
HOSTCL_VECTORS(long)
HOSTCL_VECTORS(ulong)
HOSTCL_VECTORS(float)
HOSTCL_VECTORS(double)
#undef HOSTCL_VECTORS
