// c = a * b, square row-major matrices.
kernel void sgemm_naive(global float* c, global const float* a, global const float* b, int size) {
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < size; ++k)
    sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] = sum;
}

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sgemm_tiled(global float* c, global const float* a, global const float* b, int size) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int column = get_global_id(0), row = get_global_id(1);
  const int x = get_local_id(0), y = get_local_id(1);
  float sum = 0.0f;
  for (int k = 0; k < size; k += TILE) {
    tile_a[y][x] = a[row * size + k + x];
    tile_b[y][x] = b[(k + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
