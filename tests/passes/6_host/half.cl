// Half on CPUs with and without half arithmetic. Nothing becomes a call of the C library.
// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: for cpu in x86-64-v3 x86-64-v4; do hostclc --cpu=$cpu --assembly %s | FileCheck --check-prefix=WITHOUT %s || exit 1; done
// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: hostclc --cpu=sapphirerapids --assembly %s | FileCheck --check-prefix=WITH %s

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// WITHOUT-NOT: call
// WITHOUT: vcvtph2ps
// WITHOUT: {{vroundps|vrndscaleps}}
// WITHOUT: vminps
// WITHOUT: vcvtps2ph
// WITHOUT-NOT: call

// WITH-NOT: call
// WITH: vminph
// WITH-NOT: call
kernel void smaller_and_rounded(global half* restrict a, global const half* restrict b) {
  size_t i = get_global_id(0);
  a[i] = fmin(a[i], floor(b[i]));
}
