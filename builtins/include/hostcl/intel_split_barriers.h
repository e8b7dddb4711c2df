// cl_intel_split_work_group_barrier.
#ifndef HOSTCL_INTEL_SPLIT_BARRIERS_H
#define HOSTCL_INTEL_SPLIT_BARRIERS_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_split_work_group_barrier

void __HOSTCL_COLLECTIVE intel_work_group_barrier_arrive(cl_mem_fence_flags flags);
void __HOSTCL_COLLECTIVE intel_work_group_barrier_wait(cl_mem_fence_flags flags);
#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 200
void __HOSTCL_COLLECTIVE intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope);
void __HOSTCL_COLLECTIVE intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope);
#endif

#endif
#endif
