// What the passes write can be made machine code of on CPUs of all generations, with nothing left to the C library but mem*.
// write.updates belongs to the kernel.
// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: for cpu in x86-64 core2 nehalem sandybridge bdver4 btver2 haswell znver1 skylake-avx512 icelake-server znver4 \
// RUN:            sapphirerapids; do for width in 16 64; do \
// RUN:   hostclc --cpu=$cpu --width=$width --assembly %s > %t 2>&1 && FileCheck --implicit-check-not='{{error|callq[[:space:]]+[^mw[:space:]]}}' %s < %t || { echo "for $cpu, $width at a time"; cat %t; exit 1; }; done; done
// CHECK: kernel 'exchanges'
// CHECK: kernel 'looks_up'
// CHECK: kernel 'mixes'
// CHECK: kernel 'counts'
// CHECK: kernel 'adds'
// CHECK: kernel 'multiplies'

kernel void exchanges(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int o = l ^ j, x = t[l], y = t[o];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = ((l & k) == 0) == (l < o) ? min(x, y) : max(x, y);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[l];
}

kernel void looks_up(global double* o, global const int* index, constant double* table) {
  int i = get_global_id(0);
  if (index[i] > 0) o[i] = table[index[i] & 7];
}

kernel void mixes(global char* a, global short* b, global float4* c, global long* d) {
  int i = get_global_id(0);
  a[i] = add_sat(a[i], (char)b[i]);
  c[i] = normalize(c[i]) + (float)d[i];
  d[i] = d[3 * i] / (i + 1) + popcount(d[i]);
}

kernel void counts(global int* bins, global const uchar* data, local int* mine) {
  int l = get_local_id(0);
  mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&mine[data[get_global_id(0)] & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], mine[l]);
  atomic_max(&bins[0], l);
}

kernel void adds(global const uint* v, global float* sums) {
  volatile global uint* at = (volatile global uint*)(sums + get_local_id(0));
  uint seen = *at, expected;
  do seen = atomic_cmpxchg(at, expected = seen, as_uint(as_float(expected) + v[get_global_id(0)]));
  while (seen != expected);
}

kernel void multiplies(global const uint* v, global float* products) {
  volatile global uint* at = (volatile global uint*)(products + get_local_id(0));
  uint seen = *at, expected;
  do seen = atomic_cmpxchg(at, expected = seen, as_uint(as_float(expected) * v[get_global_id(0)]));
  while (seen != expected);
}
