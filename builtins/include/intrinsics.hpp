#pragma once

// The intrinsics that the compiler's passes replace (docs/kernel-ir.md).

#include "types.hpp"

#define HOSTCL_PURE extern "C" __attribute__((const, nothrow))
#define HOSTCL_CONVERGENT extern "C" __attribute__((convergent, nothrow))
#define HOSTCL_CONVERGENT_PURE extern "C" __attribute__((const, convergent, nothrow))

HOSTCL_PURE ulong __hostcl_local_id(uint dim);
HOSTCL_PURE ulong __hostcl_group_id(uint dim);
HOSTCL_PURE ulong __hostcl_local_size(uint dim);
HOSTCL_PURE ulong __hostcl_enqueued_local_size(uint dim);
HOSTCL_PURE ulong __hostcl_global_size(uint dim);
HOSTCL_PURE ulong __hostcl_global_offset(uint dim);
HOSTCL_PURE ulong __hostcl_group_count(uint dim);
HOSTCL_PURE uint __hostcl_work_dim();
HOSTCL_PURE bool __hostcl_has_same_bits();

HOSTCL_CONVERGENT void __hostcl_barrier(uint flags);
HOSTCL_PURE uint __hostcl_sub_group_lane();
HOSTCL_PURE uint __hostcl_sub_group_width();
HOSTCL_PURE uint __hostcl_sub_group_stride();
HOSTCL_PURE __local void* __hostcl_group_scratch();

HOSTCL_CONVERGENT_PURE bool __hostcl_sub_group_any(bool predicate);
HOSTCL_CONVERGENT_PURE bool __hostcl_sub_group_all(bool predicate);
HOSTCL_CONVERGENT_PURE uint4 __hostcl_sub_group_ballot(bool predicate);

// The signed types stand for all integers of their size; lanes.hpp picks the function for a type.
#define HOSTCL_LANES_COMMON(T, suffix)                                                                       \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_shuffle_##suffix(T value, uint lane);                          \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_broadcast_##suffix(T value, uint lane);                        \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_first_##suffix(T value);
#define HOSTCL_LANES_OP(T, suffix, op)                                                                       \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_reduce_##op##_##suffix(T value);                               \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_scan_inclusive_##op##_##suffix(T value);                       \
  HOSTCL_CONVERGENT_PURE T __hostcl_sub_group_scan_exclusive_##op##_##suffix(T value);
#define HOSTCL_LANES_FLOAT(T, suffix)                                                                        \
  HOSTCL_LANES_COMMON(T, suffix)                                                                             \
  HOSTCL_LANES_OP(T, suffix, add)                                                                            \
  HOSTCL_LANES_OP(T, suffix, mul) HOSTCL_LANES_OP(T, suffix, min) HOSTCL_LANES_OP(T, suffix, max)
#define HOSTCL_LANES_INTEGER(T, suffix)                                                                      \
  HOSTCL_LANES_FLOAT(T, suffix)                                                                              \
  HOSTCL_LANES_OP(T, suffix, umin)                                                                           \
  HOSTCL_LANES_OP(T, suffix, umax)                                                                           \
  HOSTCL_LANES_OP(T, suffix, and) HOSTCL_LANES_OP(T, suffix, or) HOSTCL_LANES_OP(T, suffix, xor)
HOSTCL_LANES_INTEGER(char, i8)
HOSTCL_LANES_INTEGER(short, i16)
HOSTCL_LANES_INTEGER(int, i32)
HOSTCL_LANES_INTEGER(long, i64)
HOSTCL_LANES_FLOAT(half, f16)
HOSTCL_LANES_FLOAT(float, f32)
HOSTCL_LANES_FLOAT(double, f64)

HOSTCL_PURE uint __hostcl_address_space(__generic const void* p);
