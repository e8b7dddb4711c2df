int clamped(int value) {
  if (value > 20) return 20;
  return value;
}

int twice_clamped(int value) {
  int once = clamped(value);
  return once + clamped(once * 2);
}

kernel void early(global const int* in, global int* out, int by) {
  int i = get_global_id(0);
  if (i >= 12) return;
  int sum = twice_clamped(in[i]);
  switch (i % 3) {
  case 0:
    sum += by;
    break;
  case 1: {
    int extra = by * 2;
    sum += extra;
    break;
  }
  default:
    sum = -sum;
  }
  out[i] = sum;
}
