// Four bytes to a float4.
// global: 131072
// local: 256
// a: uchar 524288 random
// b: float 524288 zero

kernel void bytes_to_floats(global const uchar4* a, global float4* b) {
  int i = get_global_id(0);
  b[i] = convert_float4(a[i]) / 255.0f;
}
