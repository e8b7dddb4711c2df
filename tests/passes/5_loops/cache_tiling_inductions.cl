// RUN: case $(uname -m) in x86_64) ;; *) exit 0 ;; esac; \
// RUN: hostclc --cpu=sapphirerapids --local=64,11 --global=64,22 --print=unroll-and-jam %s | FileCheck %s
// A counter of the inner loop that begins with the row's number goes on from where it was.
// CHECK: {{^}}next.block:
kernel void test(global const int* in32, global ulong* result, int n) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  size_t w = get_global_size(0), j = y * w + 1, iterations = (n & 1) + 1200;
  ulong sum = 5;
  for (size_t k = 0; k < iterations; ++k) {
    uint v = in32[(k & 3) * 64 + x];
    sum = sum * 3 + v * (j ^ 5);
    j += w;
  }
  result[y * w + x] = sum;
}
