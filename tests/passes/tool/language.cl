// The options of hostclc that describe a device, and its messages about programs that need what the device lacks.
// RUN: hostclc --local=128 %s 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: hostclc --local=128 --sub-group-sizes=64,32 %s 2>&1 | FileCheck %s --check-prefix=SIXTY
// RUN: hostclc --local=128 --cpu=x86-64-v2 --sub-group-sizes=64 %s 2>&1 | FileCheck %s --check-prefix=SIXTY
// RUN: hostclc --local=128 --sub-group-sizes=8 --width=16 %s 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: not hostclc --lacks=cl_khr_fp64,cl_khr_fp16 -DDOUBLE %s 2>&1 | FileCheck %s --check-prefix=DOUBLE
// RUN: not hostclc --newest-c=1.2 -cl-std=CL2.0 %s 2>&1 | FileCheck %s --check-prefix=STANDARD
// RUN: not hostclc --lacks=cl_khr_fp65 %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not hostclc --newest-c=x %s 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not hostclc --sub-group-sizes=8,12 %s 2>&1 | FileCheck %s --check-prefix=SIZES
//
// ALL: kernel 'sums': {{[0-9]+}} work-items at a time
// SIXTY: kernel 'sums': 64 work-items at a time
// EIGHT: kernel 'sums': 8 work-items at a time
// DOUBLE: error: use of type 'double' requires cl_khr_fp64
// DOUBLE: note: the program needs cl_khr_fp64, which the device lacks
// STANDARD: -cl-std=CL2.0: the newest OpenCL C of the device is 1.2
// NAME: --lacks=cl_khr_fp65: the compiler has no extension or feature 'cl_khr_fp65'
// VERSION: --newest-c=x: the version must be two numbers, such as 1.2
// SIZES: --sub-group-sizes=8,12: each sub-group size must be a power of two up to 64

#ifdef DOUBLE
kernel void doubles(global double* v) {
  v[get_global_id(0)] += 1;
}
#endif

kernel void sums(global int* v) {
  v[get_global_id(0)] = sub_group_reduce_add(v[get_global_id(0)]);
}
