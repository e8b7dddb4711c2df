// One step of the heat equation on a band of rows, and the band's outer rows for its neighbours.

#pragma OPENCL FP_CONTRACT OFF

// A point of the band, or of the neighbours' rows above and below it.
float at(global const float* band, global const float* above, global const float* below, int x, int y, int width, int rows) {
  return y < 0 ? above[x] : y == rows ? below[x] : band[y * width + x];
}

// Work-items: x, y of the band. The outer columns stay as they are; `first` and `last` say that the band has the
// grid's outer row, which does as well.
kernel void step(global const float* now, global const float* above, global const float* below, global float* next,
                 global float* top, global float* bottom, int width, int rows, int first, int last) {
  const int x = get_global_id(0), y = get_global_id(1);
  float value = now[y * width + x];
  if (x > 0 && x < width - 1 && !(first && y == 0) && !(last && y == rows - 1)) {
    const float sum = now[y * width + x - 1] + now[y * width + x + 1] + at(now, above, below, x, y - 1, width, rows) +
                      at(now, above, below, x, y + 1, width, rows);
    value = value + 0.2f * (sum - 4.0f * value);
  }
  next[y * width + x] = value;
  if (y == 0) top[x] = value;
  if (y == rows - 1) bottom[x] = value;
}
