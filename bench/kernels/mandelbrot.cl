kernel void mandelbrot(global uint* iterations, uint limit) {
  const size_t column = get_global_id(0), row = get_global_id(1), size = get_global_size(0);
  const float cx = -2.0f + 3.0f * (float)column / (float)size;
  const float cy = -1.5f + 3.0f * (float)row / (float)size;
  float x = 0.0f, y = 0.0f;
  uint i = 0;
  while (i < limit && x * x + y * y <= 4.0f) {
    const float next_x = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next_x;
    ++i;
  }
  iterations[row * size + column] = i;
}
