#pragma once

// Vectors in memory that is only aligned for their elements.

#include "types.hpp"

namespace {

template <class E, int n>
struct packed_vector {
  typedef vector_of<E, n> type __attribute__((aligned(sizeof(E))));
};

/// p as a pointer to such a vector, in p's address space.
#define HOSTCL_AT(space)                                                                                     \
  template <class E, int n>                                                                                  \
  auto at(space E* p) {                                                                                      \
    return (space typename packed_vector<E, n>::type*)p;                                                     \
  }                                                                                                          \
  template <class E, int n>                                                                                  \
  auto at(const space E* p) {                                                                                \
    return (const space typename packed_vector<E, n>::type*)p;                                               \
  }
HOSTCL_AT(__global)
HOSTCL_AT(__local)
HOSTCL_AT(__private)
HOSTCL_AT(__generic)
HOSTCL_AT(__constant)
#undef HOSTCL_AT

/// Three elements are loaded one by one: a vector of three would touch a fourth.
template <class E, int n, class Pointer>
vector_of<E, n> load_vector(Pointer p) {
  if constexpr (n == 1)
    return *p;
  else if constexpr (n == 3)
    return vector_of<E, 3>{p[0], p[1], p[2]};
  else
    return *at<E, n>(p);
}

template <class E, int n, class Pointer>
void store_vector(vector_of<E, n> value, Pointer p) {
  if constexpr (n == 1)
    *p = value;
  else if constexpr (n == 3) {
    p[0] = value.x;
    p[1] = value.y;
    p[2] = value.z;
  } else
    *at<E, n>(p) = value;
}

} // namespace
