// On arm64 CPUs with dot products, dot() of bytes is one instruction for all lanes. Only builds for arm64 know these
// CPUs.
// RUN: hostclc --cpu=neoverse-n1 --disjoint --assembly %s > %t 2>&1 || { grep -q 'is not a CPU' %t && exit 0; }; \
// RUN: FileCheck --implicit-check-not=sshr --implicit-check-not='{{\bmul\b|\bmla\b}}' %s < %t
// RUN: hostclc --cpu=neoverse-v1 --disjoint --assembly %s > %t 2>&1 || { grep -q 'is not a CPU' %t && exit 0; }; \
// RUN: FileCheck --check-prefix=SVE %s < %t

// CHECK-LABEL: signed_bytes.d1{{.*}}:
// CHECK: sdot v{{[0-9]+}}.4s
// SVE-LABEL: signed_bytes.d1{{.*}}:
// SVE: sdot z{{[0-9]+}}.s
kernel void signed_bytes(global int* o, global const char4* a, global const char4* b) {
  size_t i = get_global_id(0);
  o[i] = dot(a[i], b[i]);
}

// CHECK-LABEL: row.d1{{.*}}:
// CHECK: udot v{{[0-9]+}}.4s
// SVE-LABEL: row.d1{{.*}}:
// SVE: udot z{{[0-9]+}}.s
kernel void row(global uint* o, global const uint* a, global const uint* b, int n) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum += dot_4x8packed_uu_uint(a[k * 1024 + i], b[k]);
  o[i] = sum;
}
