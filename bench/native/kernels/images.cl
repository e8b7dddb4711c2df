// Filters of images in buffers.

kernel void sobel(global const uchar* in, global uchar* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    global const uchar* at = in + y * width + x;
    int dx = at[1 - width] + 2 * at[1] + at[1 + width] - at[-1 - width] - 2 * at[-1] - at[-1 + width];
    int dy = at[width - 1] + 2 * at[width] + at[width + 1] - at[-width - 1] - 2 * at[-width] - at[-width + 1];
    out[y * width + x] = min(abs(dx) + abs(dy), 255u);
  }
}

kernel void gauss_rows(global const float* in, global float* out, constant float* weights, int radius,
                       int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += weights[k + radius] * in[y * width + clamp(x + k, 0, width - 1)];
  out[y * width + x] = sum;
}

kernel void gauss_columns(global const float* in, global float* out, constant float* weights, int radius,
                          int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += weights[k + radius] * in[clamp(y + k, 0, height - 1) * width + x];
  out[y * width + x] = sum;
}

void order(uchar* a, uchar* b) {
  uchar low = min(*a, *b);
  *b = max(*a, *b);
  *a = low;
}

kernel void median3(global const uchar* in, global uchar* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  uchar v[9];
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      v[(dy + 1) * 3 + dx + 1] = in[(y + dy) * width + x + dx];
  order(v + 1, v + 2), order(v + 4, v + 5), order(v + 7, v + 8), order(v + 0, v + 1), order(v + 3, v + 4);
  order(v + 6, v + 7), order(v + 1, v + 2), order(v + 4, v + 5), order(v + 7, v + 8), order(v + 0, v + 3);
  order(v + 5, v + 8), order(v + 4, v + 7), order(v + 3, v + 6), order(v + 1, v + 4), order(v + 2, v + 5);
  order(v + 4, v + 7), order(v + 4, v + 2), order(v + 6, v + 4), order(v + 4, v + 2);
  out[y * width + x] = v[4];
}

kernel void bilateral(global const float* in, global float* out, int width, int height, int radius,
                      float near, float alike) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float centre = in[y * width + x], sum = 0, weights = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      float value = in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
      float weight = exp(-near * (dx * dx + dy * dy) - alike * (value - centre) * (value - centre));
      sum += weight * value;
      weights += weight;
    }
  out[y * width + x] = sum / weights;
}

kernel void grey(global const uchar* rgb, global uchar* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}
