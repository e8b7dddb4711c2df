// Luminance and interleaved chrominance to colours.
// global: 1024 512
// local: 16 16
// a: uchar 1572864 random
// b: uchar 2097152 zero
// w: int 1024
// h: int 512

kernel void nv12(global const uchar* a, global uchar4* b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float l = a[y * w + x], u = a[w * h + (y / 2) * w + (x & ~1)] - 128.0f,
        v = a[w * h + (y / 2) * w + (x | 1)] - 128.0f;
  b[y * w + x] = convert_uchar4_sat((float4)(l + 1.4f * v, l - 0.34f * u - 0.71f * v, l + 1.77f * u, 255));
}
