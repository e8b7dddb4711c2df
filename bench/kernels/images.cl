// Filters of images, as applications write them.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

int2 place(void) { return (int2)(get_global_id(0), get_global_id(1)); }

float4 mean5(read_only image2d_t in, sampler_t sampler) {
  float4 sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += read_imagef(in, sampler, place() + (int2)(dx, dy));
  return sum / 25;
}

kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, place(), read_imagef(in, nearest, place()));
}

kernel void blur(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, place(), mean5(in, nearest));
}

kernel void blur_sampler(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
  write_imagef(out, place(), mean5(in, sampler));
}

kernel void blur_at_floats(read_only image2d_t in, write_only image2d_t out) {
  float4 sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += read_imagef(in, nearest, convert_float2(place() + (int2)(dx, dy)) + 0.5f);
  write_imagef(out, place(), sum / 25);
}

kernel void unsharp(read_only image2d_t in, write_only image2d_t out) {
  float4 pixel = read_imagef(in, nearest, place());
  write_imagef(out, place(), pixel + (pixel - mean5(in, nearest)) * 0.75f);
}

kernel void exposure(read_only image2d_t in, write_only image2d_t out) {
  float4 pixel = read_imagef(in, nearest, place());
  pixel.xyz = pixel.xyz * 1.5f + 0.1f;
  write_imagef(out, place(), pixel);
}

kernel void rotate_by(read_only image2d_t in, write_only image2d_t out, float2 direction) {
  float2 middle = convert_float2(get_image_dim(in)) / 2, from = convert_float2(place()) - middle;
  float2 at = (float2)(direction.x * from.x - direction.y * from.y, direction.y * from.x + direction.x * from.y);
  write_imagef(out, place(), read_imagef(in, linear, at + middle));
}

kernel void tile(read_only image2d_t in, write_only image2d_t out) {
  float2 at = (convert_float2(place()) + 0.3f) * 1.3f / convert_float2(get_image_dim(out));
  write_imagef(out, place(), read_imagef(in, repeated, at));
}

kernel void halve(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, place(), read_imagef(in, linear, convert_float2(place() * 2 + 1)));
}

kernel void tone(read_only image2d_t in, write_only image2d_t out) {
  float4 pixel = read_imagef(in, nearest, place());
  pixel.xyz = pixel.xyz / (pixel.xyz + 0.5f);
  write_imagef(out, place(), pixel);
}

kernel void mean_of_cubes(read_only image3d_t in, write_only image3d_t out) {
  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += read_imageui(in, nearest, at + (int4)(dx, dy, dz, 0)).x;
  write_imageui(out, at, (uint4)((uint)(sum / 27 + 0.5f), 0, 0, 0));
}
