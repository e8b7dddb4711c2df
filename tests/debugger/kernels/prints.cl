kernel void prints(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  if (i == 2) printf("item %d has %d\n", i, in[i]);
  int after = in[i] + i;
  out[i] = after;
}
