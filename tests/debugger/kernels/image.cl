constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void image(read_only image2d_t in, global int* out, int by) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int4 pixel = read_imagei(in, nearest, at);
  int place = at.y * 8 + at.x;
  out[place] = pixel.x * by;
}
