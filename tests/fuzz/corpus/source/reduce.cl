kernel void reduce(global int* out, global const int* in, local int* t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  if (l == 0) atomic_add(out, t[0]);
}
