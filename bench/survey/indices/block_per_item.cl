// Four neighbouring elements for each work-item.
// global: 131072
// local: 256
// a: float 524288 random
// b: float 524288 zero

kernel void block_per_item(global const float* a, global float* b) {
  int i = get_global_id(0);
  for (int k = 0; k < 4; k++)
    b[i * 4 + k] = a[i * 4 + k] * 2;
}
