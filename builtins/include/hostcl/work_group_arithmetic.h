// cl_khr_work_group_uniform_arithmetic.
#ifndef HOSTCL_WORK_GROUP_ARITHMETIC_H
#define HOSTCL_WORK_GROUP_ARITHMETIC_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_khr_work_group_uniform_arithmetic

#if defined(__opencl_c_work_group_collective_functions) || __OPENCL_C_VERSION__ == 200 ||                    \
    defined(__OPENCL_CPP_VERSION__)

#define __HOSTCL_SPANS(T, op)                                                                                \
  T __HOSTCL_COLLECTIVE work_group_reduce_##op(T x);                                                         \
  T __HOSTCL_COLLECTIVE work_group_scan_inclusive_##op(T x);                                                 \
  T __HOSTCL_COLLECTIVE work_group_scan_exclusive_##op(T x);
#define __HOSTCL_BITWISE(T)                                                                                  \
  __HOSTCL_SPANS(T, and) __HOSTCL_SPANS(T, or) __HOSTCL_SPANS(T, xor) __HOSTCL_SPANS(T, mul)
__HOSTCL_BITWISE(int)
__HOSTCL_BITWISE(unsigned int)
__HOSTCL_BITWISE(long)
__HOSTCL_BITWISE(unsigned long)
__HOSTCL_SPANS(float, mul)
#ifdef cl_khr_fp64
__HOSTCL_SPANS(double, mul)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__HOSTCL_SPANS(half, mul)
#endif
__HOSTCL_SPANS(int, logical_and)
__HOSTCL_SPANS(int, logical_or)
__HOSTCL_SPANS(int, logical_xor)
#undef __HOSTCL_SPANS
#undef __HOSTCL_BITWISE
#endif

#endif
#endif
