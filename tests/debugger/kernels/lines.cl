#line 100 "other_name.cl"
kernel void lines(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  int doubled = in[i] * 2;
  out[i] = doubled;
}
