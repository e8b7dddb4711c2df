int scaled(int value, int by) {
  int product = value * by;
  return product + 1;
}

kernel void locals(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  int x = in[i];
  int y = scaled(x, by);
  out[i] = y - x;
}

kernel void second(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  long sum = in[i] + by;
  out[i] = sum;
}
