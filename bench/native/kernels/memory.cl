// What moves much and computes little.

kernel void triad(global float* a, global const float* b, global const float* c, float factor) {
  size_t i = get_global_id(0);
  a[i] = b[i] + factor * c[i];
}

kernel void transpose(global const float* in, global float* out, int width, int height) {
  local float tile[16][17];
  int x = get_global_id(0), y = get_global_id(1), column = get_local_id(0), row = get_local_id(1);
  tile[row][column] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + row) * height + get_group_id(1) * 16 + column] = tile[column][row];
}

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy_floats(read_only image2d_t in, write_only image2d_t out) {
  int2 pixel = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, pixel, read_imagef(in, nearest, pixel));
}

kernel void copy_integers(read_only image2d_t in, write_only image2d_t out) {
  int2 pixel = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, pixel, read_imageui(in, nearest, pixel));
}

kernel void add_scaled(global float* y, global const float* x, float factor, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] += factor * x[i];
}
