// Atomic functions of half (cl_ext_float_atomics): clang declares them for a float object, or not at all.
//
// A declaration of a name hides all of clang's own overloads of that name. So this header declares all
// overloads of each name.
#ifndef HOSTCL_HALF_ATOMICS_H
#define HOSTCL_HALF_ATOMICS_H

#include <hostcl/declare.h>

#if (__OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)) && defined(cl_khr_fp16)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

// R name(volatile space A* object[, M operand]) with and without order and scope.
#define __HOSTCL_FORMS(space, R, name, A, ...)                                                               \
  R __HOSTCL_OVERLOADABLE name(volatile space A* object __VA_ARGS__);                                        \
  R __HOSTCL_OVERLOADABLE name##_explicit(volatile space A* object __VA_ARGS__, memory_order order);         \
  R __HOSTCL_OVERLOADABLE name##_explicit(volatile space A* object __VA_ARGS__, memory_order order,          \
                                          memory_scope scope);

#define __HOSTCL_BASIC(space, A, C)                                                                          \
  void __HOSTCL_OVERLOADABLE atomic_init(volatile space A* object, C value);                                 \
  __HOSTCL_FORMS(space, void, atomic_store, A, , C value)                                                    \
  __HOSTCL_FORMS(space, C, atomic_load, A)                                                                   \
  __HOSTCL_FORMS(space, C, atomic_exchange, A, , C value)
#define __HOSTCL_FETCH(space, A, C, M)                                                                       \
  __HOSTCL_FORMS(space, C, atomic_fetch_add, A, , M value)                                                   \
  __HOSTCL_FORMS(space, C, atomic_fetch_sub, A, , M value)
#define __HOSTCL_ORDER(space, A, C)                                                                          \
  __HOSTCL_FORMS(space, C, atomic_fetch_min, A, , C value)                                                   \
  __HOSTCL_FORMS(space, C, atomic_fetch_max, A, , C value)
#define __HOSTCL_ALL(space, A, C)                                                                            \
  __HOSTCL_BASIC(space, A, C) __HOSTCL_FETCH(space, A, C, C) __HOSTCL_ORDER(space, A, C)
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define __HOSTCL_LONG(space)                                                                                 \
  __HOSTCL_ALL(space, atomic_long, long)                                                                     \
  __HOSTCL_ALL(space, atomic_ulong, unsigned long)                                                           \
  __HOSTCL_FETCH(space, atomic_ulong, unsigned long, long)
#else
#define __HOSTCL_LONG(space)
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics) && defined(cl_khr_fp64)
#define __HOSTCL_DOUBLE(space) __HOSTCL_ALL(space, atomic_double, double)
#else
#define __HOSTCL_DOUBLE(space)
#endif
#define __HOSTCL_SPACE(space)                                                                                \
  __HOSTCL_ALL(space, atomic_int, int)                                                                       \
  __HOSTCL_ALL(space, atomic_uint, unsigned int)                                                             \
  __HOSTCL_LONG(space)                                                                                       \
  __HOSTCL_ALL(space, atomic_half, half)                                                                     \
  __HOSTCL_ALL(space, atomic_float, float) __HOSTCL_DOUBLE(space)
__HOSTCL_OBJECT_SPACES(__HOSTCL_SPACE)

#undef __HOSTCL_FORMS
#undef __HOSTCL_BASIC
#undef __HOSTCL_FETCH
#undef __HOSTCL_ORDER
#undef __HOSTCL_ALL
#undef __HOSTCL_LONG
#undef __HOSTCL_DOUBLE
#undef __HOSTCL_SPACE
#endif

#endif
