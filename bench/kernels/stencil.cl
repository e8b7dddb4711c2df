// Mean of the four neighbours; the border stays as it is.
kernel void stencil(global const float* in, global float* out) {
  const size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  const size_t i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[i] = in[i];
  else
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
