// Each heuristic has a kernel of its name here, which is compiled in another way without it, and for which it calls
// note_change(). A program has one of them: the paragraphs of the others are left out.
// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: export HOSTCL_TEST_STEPS=long:0; \
// RUN: for name in $(hostclc --without=help | cut -d ' ' -f 1); do \
// RUN:   options="-cl-std=CL3.0 --cpu=znver4 --kernel=$name $(sed -n "s|^// $name: ||p" %s)"; \
// RUN:   awk -v RS= -v ORS='\n\n' -v kernel="kernel void $name(" '!/kernel void / || index($0, kernel)' %s > %t.cl; \
// RUN:   rm -f %t.census; HOSTCL_TEST_CENSUS=%t.census hostclc --print=all $options %t.cl > %t.with && \
// RUN:   hostclc --print=all $options --without=$name %t.cl > %t.without && ! cmp -s %t.with %t.without || \
// RUN:   { echo "$name: no difference"; exit 1; }; \
// RUN:   cut -d ' ' -f 2- %t.census | grep -qw $name || { echo "$name: notes no change"; exit 1; }; done
// RUN: hostclc -cl-std=CL3.0 --kernel=permuted_access --without=permuted_access,records %s > %t
// RUN: hostclc --without=help | FileCheck %s --check-prefix=HELP
// HELP: width_choice fits the width {{.*}} (passes/2_vector/choose/width.cpp)
// RUN: not hostclc --without=permuted_access,doors %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: --without=permuted_access,doors: no heuristic is called 'doors'; there are width_choice, {{.*}} split_large_regions

kernel void width_choice(global const uchar* a, global uchar* b) {
  b[get_global_id(0)] = a[get_global_id(0)] ^ 77;
}

kernel void interleaving(global float* a, int n) {
  float x = a[get_global_id(0)], y = x;
  for (int k = 0; k < n; ++k) {
    x = fma(y, x, y);
    y = fma(x, y, x);
  }
  a[get_global_id(0)] = y;
}

struct body {
  float place[4], speed[4];
};
// records: --cpu=sapphirerapids
kernel void records(global struct body* a) {
  int i = get_global_id(0);
  a[i].speed[0] -= 1;
  a[i].place[0] += a[i].speed[0];
}

kernel void walked_rows(global const long* begin, global const long* column, global const float* value,
                        global const float* x, global float* y) {
  size_t row = get_global_id(0);
  float sum = 0;
  for (long k = begin[row]; k < begin[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

kernel void scattered_access(global const uint* to, global const float* a, global float* b) {
  b[to[get_global_id(0)]] = a[get_global_id(0)];
}

// columns: --local=16,16 --global=1024,1024
kernel void columns(global const int* a, global int* b, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  b[row * n + column] = a[row * n + column] + 1;
}

kernel void full_chunks(global int* a) {
  a[get_global_id(0)] += 1;
}

kernel void unmasked_copies(global int* a, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] += 1;
}

// one_chunk: --local=16
kernel void one_chunk(global int* a) {
  a[get_global_id(0)] += 1;
}

kernel void skipped_blocks(global float* a) {
  int i = get_global_id(0);
  if (a[i] > 3) a[i] = sin(a[i]) + cos(a[i]);
}

kernel void split_vectors(global const int4* a, global int* b) {
  int4 v = a[get_global_id(0)];
  v.x += v.y ^ v.z;
  v.w *= v.x;
  b[get_global_id(0)] = v.x - v.w + v.y;
}

kernel void wide_products(global ulong* a, global const ulong* b) {
  a[get_global_id(0)] = mul_hi(a[get_global_id(0)], b[get_global_id(0)]);
}

kernel void float_division(global uint* a, global const uint* b) {
  a[get_global_id(0)] /= b[get_global_id(0)];
}

kernel void pipe_lanes(write_only pipe int p, global const int* a) {
  write_pipe(p, a + get_global_id(0));
}

kernel void widened_indices(global const float* a, global float* b, int dx) {
  int i = get_global_id(0);
  b[i] = a[i + 1];
}

kernel void private_arrays(global int* a, int n) {
  int own[16];
  for (int k = 0; k < n; ++k)
    own[k & 15] = a[k] ^ get_global_id(0);
  a[get_global_id(0)] = own[n & 15];
}

kernel void clamped_indices(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[min(max(i - 1, 0), n - 1)];
}

kernel void likely_strides(global const float* a, global float* b, int last) {
  int i = get_global_id(0);
  b[i] = a[(i + 1) & last];
}

kernel void strided_access(global const float* a, global float* b) {
  int i = get_global_id(0);
  b[i] = a[2 * i] + a[2 * i + 1];
}

// narrow_gathers: --width=16
kernel void narrow_gathers(global const uchar* table, global const uint* a, global uint* b) {
  int i = get_global_id(0);
  b[i] = table[a[i] & 255];
}

kernel void permuted_access(global const float* a, global float* b, int distance) {
  int i = get_global_id(0);
  b[i] = a[i] + a[i ^ distance];
}

// nontemporal_stores: --local=16,16 --global=1024,1024
kernel void nontemporal_stores(global const float* a, global float* b, int n) {
  local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = a[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(get_group_id(0) * 16 + y) * n + get_group_id(1) * 16 + x] = tile[x][y];
}

kernel void exchange_loops(global const float* a, global uint* sum) {
  float x = a[get_global_id(0)];
  uint seen = *sum, expected;
  do
    seen = atomic_cmpxchg(sum, expected = seen, as_uint(as_float(expected) + x));
  while (seen != expected);
}

kernel void deferred_atomics(global const uint* a, global uint* bins) {
  atomic_inc(&bins[a[get_global_id(0)] & 255]);
}

kernel void vector_atomics(global int* a, global int* count) {
  int i = get_global_id(0);
  if (a[i] > 3) a[i] = atomic_add(count, a[i]);
}

kernel void uniform_atomics(global const int* a, global volatile uint* bits, global uint* old) {
  int i = get_global_id(0);
  old[i] = atomic_fetch_or((global atomic_uint*)&bits[i / 32], 1u << (i & 31));
}

kernel void written_out_atomics(global const uint* a, global uint* b) {
  local uint bins[64];
  int l = get_local_id(0);
  bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[a[get_global_id(0)] & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = bins[l];
}

kernel void compare_exchange(global int* a, global int* top) {
  int i = get_global_id(0);
  a[i] = atomic_cmpxchg(top, i, a[i]);
}

kernel void append_stores(global const int* a, global int* out, global int* count) {
  int x = a[get_global_id(0)];
  if (x > 3) out[atomic_inc(count)] = x;
}

kernel void group_atomics(global const int* a, global int* out, global int* count) {
  int x = a[get_global_id(0)];
  if (x > 3) out[atomic_inc(count)] = x;
}

kernel void merged_groups(global const int* a, global int* out, global int* count) {
  int x = a[get_global_id(0)];
  if (x > 3) out[atomic_inc(count)] = x;
}

kernel void unroll_loops(global float* a) {
  float x = 0;
  for (int k = 0; k < 4; ++k)
    x += a[get_global_id(0) * 4 + k];
  a[get_global_id(0) * 4] = x;
}

// single_item: --local=1
kernel void single_item(global int* a) {
  a[get_global_id(0)] += get_local_id(0);
}

kernel void recomputed_values(global int* a, local int* t) {
  int next = get_local_id(0) * 3 + 1;
  t[next] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[next ^ 1] + next;
}

// unroll_and_jam: --local=16,16 --global=1024,1024
kernel void unroll_and_jam(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// cache_tiling: --local=64,64 --global=1024,1024
kernel void cache_tiling(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// transposed_loads: --local=256 --global=4096
kernel void transposed_loads(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k];
  b[i] = sum;
}

// scalar_loops: --width=1
kernel void scalar_loops(global const int* a, global int* b) {
  b[get_global_id(0)] = a[get_global_id(0)] + 1;
}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void promote_half(global const half* a, global half* b) {
  b[get_global_id(0)] = floor(a[get_global_id(0)]);
}

#define FOUR(x) x x x x
kernel void split_large_regions(global volatile int* a) {
  FOUR(FOUR(FOUR(a[get_global_id(0)] += 1; a[get_global_id(0)] -= 2;)))
}

kernel void narrow_integers(global const uchar* a, global uchar* b, int width) {
  size_t i = get_global_id(0);
  b[i] = min(abs(a[i] - a[i + width]), 100u);
}

kernel void canonical_indices(global const float* a, global float* b, int n) {
  float sum = 0;
  for (global const float* row = a + get_global_id(1) * n; n > 0; --n)
    sum += *row++;
  b[get_global_id(0)] = sum;
}

kernel void address_spaces(global float* sums, local float* t) {
  for (int i = 0; i < 64; ++i)
    sums[get_global_id(0)] += t[i];
}

kernel void private_volatile(global float* a) {
  volatile float x = a[get_global_id(0)];
  a[get_global_id(0)] = x + x;
}

// proven_races: --checks=races
kernel void proven_races(global int* a) {
  a[get_global_id(0)] += 1;
}

// proven_bounds: --checks=bounds
kernel void proven_bounds(global int* a) {
  a[get_global_id(0)] += 1;
}

kernel void tree_reductions(global const float* a, global float* sums, local float* part) {
  int id = get_local_id(0);
  part[id] = a[get_global_id(0)];
  for (int offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < offset) part[id] += part[id + offset];
  }
  if (id == 0) sums[get_group_id(0)] = part[0];
}

kernel void barrier_synchronised_loops(global const uchar* restrict data, global uint* restrict bins, uint size) {
  for (uint i = get_global_id(0); i < size; i += get_global_size(0))
    atomic_inc(bins + data[i]);
}

// group_size_agnostic: --local=1,64 --global=1024,1024
kernel void group_size_agnostic(global const int* a, global int* b) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  b[i] = a[i] + 1;
}

// disjoint_buffers: --disjoint
kernel void disjoint_buffers(global const uint* a, global uint* sums, uint n) {
  for (uint i = 0; i < n; ++i) atomic_inc(&sums[a[i]]);
}

kernel void loop_updates(global const uint* restrict a, global uint* restrict sums, uint n) {
  for (uint i = 0; i < n; ++i) atomic_add(&sums[n & 3], a[i]);
}

// unoptimised_codegen: --tier0
kernel void unoptimised_codegen(global uint* a, uint n) {
  for (uint i = 0; i < n; ++i) a[get_global_id(0)] = a[get_global_id(0)] / n + i;
}

#define TIMES_4(step) step step step step
#define TIMES_64(step) TIMES_4(TIMES_4(TIMES_4(step)))

// short_vectors: --cpu=sapphirerapids --tier0
kernel void short_vectors(global uchar* places, uint x) {
  x += get_global_id(0);
  TIMES_64(x = x * 5 + (x >> 7); places[x & 255] = x;)
}

// long_scalar_loops: --tier0 --width=1
kernel void long_scalar_loops(global uint* a) {
  uint x = get_global_id(0);
  TIMES_4(TIMES_64(x = x * 5 + (x >> 7); x = x * 7 + (x >> 5); x = x * 3 + (x >> 9);))
  a[x] = x;
}
