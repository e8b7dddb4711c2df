// range: dimensions 1 global 3 local 3 offset 0
kernel void test(global const int* in32, global uint* log32, global uint* counts, global ulong* result, int n) {
  const size_t id = get_global_linear_id();
  const int i = (int)get_global_id(0);
  if (i == 1) log32[atomic_inc(&counts[1])] = (uint)*(volatile global const int*)(in32 + id);
  log32[atomic_inc(&counts[1])] = (uint)i;
  result[i] = 0;
}
