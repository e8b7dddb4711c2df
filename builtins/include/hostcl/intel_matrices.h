// cl_intel_subgroup_matrix_multiply_accumulate and cl_intel_subgroup_matrix_multiply_accumulate_tf32.
#ifndef HOSTCL_INTEL_MATRICES_H
#define HOSTCL_INTEL_MATRICES_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_subgroup_matrix_multiply_accumulate

#define __HOSTCL_PRODUCT(name, A, B, C)                                                                      \
  C __HOSTCL_COLLECTIVE intel_sub_group_##name(A a, B b, C acc);                                             \
  C##2 __HOSTCL_COLLECTIVE intel_sub_group_##name(A##2 a, B b, C##2 acc);                                    \
  C##4 __HOSTCL_COLLECTIVE intel_sub_group_##name(A##4 a, B b, C##4 acc);                                    \
  C##8 __HOSTCL_COLLECTIVE intel_sub_group_##name(A##8 a, B b, C##8 acc);
#define __HOSTCL_PRODUCTS(bits, k, S, U)                                                                     \
  __HOSTCL_PRODUCT(i##bits##_i##bits##_matrix_mad_##k, S, int8, int)                                         \
  __HOSTCL_PRODUCT(i##bits##_u##bits##_matrix_mad_##k, S, uint8, int)                                        \
  __HOSTCL_PRODUCT(u##bits##_i##bits##_matrix_mad_##k, U, int8, int)                                         \
  __HOSTCL_PRODUCT(u##bits##_u##bits##_matrix_mad_##k, U, uint8, int)
// Sub-groups of 8 work-items
__HOSTCL_PRODUCTS(8, k32, int, uint)
__HOSTCL_PRODUCTS(4, k64, int, uint)
__HOSTCL_PRODUCT(bf16_bf16_matrix_mad_k16, int, int8, float)
__HOSTCL_PRODUCT(f16_f16_matrix_mad_k16, int, int8, float)
// Sub-groups of 16 work-items
__HOSTCL_PRODUCTS(8, k32, short, ushort)
__HOSTCL_PRODUCTS(4, k64, short, ushort)
__HOSTCL_PRODUCT(bf16_bf16_matrix_mad_k16, short, int8, float)
__HOSTCL_PRODUCT(bf16_bf16_matrix_mad_k16, short, int8, short)
__HOSTCL_PRODUCT(f16_f16_matrix_mad_k16, short, int8, float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__HOSTCL_PRODUCT(f16_f16_matrix_mad_k16, short, int8, half)
#endif
#undef __HOSTCL_PRODUCT
#undef __HOSTCL_PRODUCTS

#ifndef __hostcl_lacks_cl_intel_subgroup_matrix_multiply_accumulate_tf32
#define __HOSTCL_TF32(A, C)                                                                                  \
  C __HOSTCL_COLLECTIVE intel_sub_group_tf32_tf32_matrix_mad_k8(A a, float8 b, C acc);
__HOSTCL_TF32(float, float)
__HOSTCL_TF32(float, float2)
__HOSTCL_TF32(float2, float4)
__HOSTCL_TF32(float4, float8)
#undef __HOSTCL_TF32
#define __HOSTCL_TF32(n)                                                                                     \
  float##n __attribute__((const, overloadable)) intel_convert_tfloat32##n##_as_float##n(float##n x);
__HOSTCL_TF32()
__HOSTCL_TF32(2)
__HOSTCL_TF32(3)
__HOSTCL_TF32(4)
__HOSTCL_TF32(8)
__HOSTCL_TF32(16)
#undef __HOSTCL_TF32
#endif

#endif
#endif
