// cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64. A counter is the address of a cell that the device
// owns while the kernel runs.
//
// A declaration of a name hides all of clang's own overloads of that name. So this header declares all
// overloads of atomic_inc and atomic_dec.
#ifndef HOSTCL_COUNTERS_H
#define HOSTCL_COUNTERS_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_ext_atomic_counters_32
struct __hostcl_counter32 {
  unsigned int value;
};
typedef __global struct __hostcl_counter32* counter32_t;
unsigned int __HOSTCL_OVERLOADABLE atomic_inc(counter32_t counter);
unsigned int __HOSTCL_OVERLOADABLE atomic_dec(counter32_t counter);
#endif

#ifndef __hostcl_lacks_cl_ext_atomic_counters_64
struct __hostcl_counter64 {
  unsigned long value;
};
typedef __global struct __hostcl_counter64* counter64_t;
unsigned long __HOSTCL_OVERLOADABLE atomic_inc(counter64_t counter);
unsigned long __HOSTCL_OVERLOADABLE atomic_dec(counter64_t counter);
#endif

#define __HOSTCL_STEP(space, T)                                                                              \
  T __HOSTCL_OVERLOADABLE atomic_inc(volatile space T* p);                                                   \
  T __HOSTCL_OVERLOADABLE atomic_dec(volatile space T* p);
__HOSTCL_STEP(__global, int)
__HOSTCL_STEP(__global, unsigned int)
__HOSTCL_STEP(__local, int)
__HOSTCL_STEP(__local, unsigned int)
#ifdef __OPENCL_CPP_VERSION__
__HOSTCL_STEP(__generic, int)
__HOSTCL_STEP(__generic, unsigned int)
#endif
#undef __HOSTCL_STEP

#endif
