// In front of every program: extensions that clang does not know by itself. Declarations that few programs
// need are in hostcl/*.h and are included for programs that mention them (builtins::headers_for).

#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : begin
#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : end
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : begin
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : end
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : begin
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : end
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : begin
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : end
#define cl_ext_atomic_counters_32 1
#define cl_ext_atomic_counters_64 1
#ifndef cl_khr_extended_async_copies
#define cl_khr_extended_async_copies 1
#endif
#ifndef cl_khr_work_group_uniform_arithmetic
#define cl_khr_work_group_uniform_arithmetic 1
#endif
