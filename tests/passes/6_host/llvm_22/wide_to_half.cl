// Numbers of 128 bits become half by way of float, also on CPUs with half arithmetic, for which LLVM fails otherwise.
// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: for cpu in sapphirerapids x86-64-v4 x86-64; do \
// RUN:   hostclc --cpu=$cpu --assembly --width=1 %s | FileCheck %s || exit 1; done

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK-LABEL: from_wide
// CHECK: __floattisf
kernel void from_wide(global half* a, global const long* b) {
  size_t i = get_global_id(0);
  a[i] = (half)((_BitInt(128))b[i] * b[i]);
}
