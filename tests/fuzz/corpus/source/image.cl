constant sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void blur(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, s, convert_float2(at) + 0.5f) * 0.5f);
}
