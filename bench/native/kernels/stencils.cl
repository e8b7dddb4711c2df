// Stencils in two and three dimensions, with guards and clamped edges as people write them.

kernel void jacobi2d(global const float* from, global float* to, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    int i = y * n + x;
    to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
  }
}

kernel void hotspot(global const float* power, global const float* from, global float* to, int width,
                    int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float centre = from[i];
  float west = x == 0 ? centre : from[i - 1], east = x == width - 1 ? centre : from[i + 1];
  float north = y == 0 ? centre : from[i - width], south = y == height - 1 ? centre : from[i + width];
  to[i] = centre + 0.1f * (power[i] + (north + south - 2.0f * centre) * 0.5f +
                           (west + east - 2.0f * centre) * 0.25f + (80.0f - centre) * 0.01f);
}

kernel void fdtd2d_ey(global float* ey, global const float* hz, int n, int step) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n)
    ey[y * n + x] = y == 0 ? (float)step : ey[y * n + x] - 0.5f * (hz[y * n + x] - hz[(y - 1) * n + x]);
}

kernel void fdtd2d_ex(global float* ex, global const float* hz, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < n && y < n) ex[y * n + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);
}

kernel void fdtd2d_hz(global const float* ex, global const float* ey, global float* hz, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n - 1 && y < n - 1) {
    int i = y * n + x;
    hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + n] - ey[i]);
  }
}

kernel void convolution2d(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  out[y * width + x] = 0.2f * in[(y - 1) * width + x - 1] + 0.5f * in[(y - 1) * width + x] -
                       0.8f * in[(y - 1) * width + x + 1] - 0.3f * in[y * width + x - 1] +
                       0.6f * in[y * width + x] - 0.9f * in[y * width + x + 1] +
                       0.4f * in[(y + 1) * width + x - 1] + 0.7f * in[(y + 1) * width + x] +
                       0.1f * in[(y + 1) * width + x + 1];
}

#define AT(dz, dy, dx) in[((z + (dz)) * n + y + (dy)) * n + x + (dx)]

kernel void convolution3d(global const float* in, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
    out[(z * n + y) * n + x] = 2 * AT(-1, -1, -1) + 4 * AT(1, -1, -1) + 5 * AT(-1, 0, -1) + 7 * AT(1, 0, -1) -
                               8 * AT(-1, 1, -1) + 10 * AT(1, 1, -1) - 3 * AT(0, -1, 0) + 6 * AT(0, 0, 0) -
                               9 * AT(0, 1, 0) + 2 * AT(-1, -1, 1) + 4 * AT(1, -1, 1) + 5 * AT(-1, 0, 1) +
                               7 * AT(1, 0, 1) - 8 * AT(-1, 1, 1) + 10 * AT(1, 1, 1);
}

kernel void heat3d(global const float* from, global float* to, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) return;
  int i = (z * n + y) * n + x;
  to[i] = from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] + from[i - n * n] +
                              from[i + n * n] - 6 * from[i]);
}
