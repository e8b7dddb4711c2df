// 5x5 binomial blur of RGBA8 pixels, edges repeated.
constant int weights[5] = {1, 4, 6, 4, 1};

kernel void blur(global const uchar4* in, global uchar4* out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  int4 sum = 128;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int at = clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1);
      sum += weights[dy + 2] * weights[dx + 2] * convert_int4(in[at]);
    }
  out[y * width + x] = convert_uchar4_sat(sum >> 8);
}
