// The noise of shaders, the fraction of a sine of a large product.
// global: 1024 512
// local: 16 16
// w: int 1024
// b: float 524288 zero

kernel void shader_noise(int w, global float* b) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = sin((x * 12.9898f + y * 78.233f) * 43758.5453f);
  b[y * w + x] = s - floor(s);
}
