// cl_intel_bfloat16_conversions.
#ifndef HOSTCL_INTEL_BFLOAT16_H
#define HOSTCL_INTEL_BFLOAT16_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_bfloat16_conversions

#define __HOSTCL_BFLOAT16(n)                                                                                 \
  ushort##n __attribute__((const, overloadable)) intel_convert_bfloat16##n##_as_ushort##n(float##n x);       \
  float##n __attribute__((const, overloadable)) intel_convert_as_bfloat16##n##_float##n(ushort##n x);
__HOSTCL_BFLOAT16()
__HOSTCL_BFLOAT16(2)
__HOSTCL_BFLOAT16(3)
__HOSTCL_BFLOAT16(4)
__HOSTCL_BFLOAT16(8)
__HOSTCL_BFLOAT16(16)
#undef __HOSTCL_BFLOAT16

#endif
#endif
