// Flows, and tables in which each cell depends on those before it.

constant int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                            1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

// Relaxes the nine speeds of a cell.
void collide(float* f, float omega) {
  float density = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    density += f[k];
    ux += step_x[k] * f[k];
    uy += step_y[k] * f[k];
  }
  ux /= density;
  uy /= density;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    float along = 3.0f * (step_x[k] * ux + step_y[k] * uy);
    float equal = weight[k] * density * (1.0f + along + 0.5f * along * along - square);
    f[k] += omega * (equal - f[k]);
  }
}

// Where speed k streams from.
int source(int x, int y, int k, int width, int height) {
  int source_x = (x - step_x[k] + width) % width, source_y = (y - step_y[k] + height) % height;
  return k * width * height + source_y * width + source_x;
}

// Lattice Boltzmann in two dimensions with nine speeds: streams from the neighbours, then collides. The edges are
// periodic.
kernel void lattice_boltzmann(global const float* from, global float* to, int width, int height,
                              float omega) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float f[9];
  for (int k = 0; k < 9; k++)
    f[k] = from[source(x, y, k, width, height)];
  collide(f, omega);
  for (int k = 0; k < 9; k++)
    to[k * width * height + y * width + x] = f[k];
}

// The same with half numbers in memory.
kernel void lattice_boltzmann_half(global const half* from, global half* to, int width, int height,
                                   float omega) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float f[9];
  for (int k = 0; k < 9; k++)
    f[k] = vload_half(source(x, y, k, width, height), from);
  collide(f, omega);
  for (int k = 0; k < 9; k++)
    vstore_half(f[k], k * width * height + y * width + x, to);
}

kernel void halves_of(global const float* numbers, global half* halves) {
  int i = get_global_id(0);
  vstore_half(numbers[i], i, halves);
}

kernel void floats_of(global const half* halves, global float* numbers) {
  int i = get_global_id(0);
  numbers[i] = vload_half(i, halves);
}

// The cheapest way down to each cell of a row from the row above it.
kernel void path_row(global const int* cost, global const int* from, global int* to, int width, int row) {
  int x = get_global_id(0);
  if (x >= width) return;
  int best = from[x];
  if (x > 0) best = min(best, from[x - 1]);
  if (x < width - 1) best = min(best, from[x + 1]);
  to[x] = best + cost[row * width + x];
}

#define TILE 16

// Needleman-Wunsch: the tiles of one anti-diagonal. score has a row and a column more than similarity.
kernel void align_tiles(global const int* similarity, global int* score, int n, int diagonal, int first,
                        int penalty) {
  local int cell[TILE + 1][TILE + 1], similar[TILE][TILE];
  int item = get_local_id(0), tile_x = first + get_group_id(0), tile_y = diagonal - tile_x, stride = n + 1;
  int x = tile_x * TILE + 1, y = tile_y * TILE + 1;
  for (int row = 0; row < TILE; row++)
    similar[row][item] = similarity[(y - 1 + row) * n + x - 1 + item];
  if (item == 0) cell[0][0] = score[(y - 1) * stride + x - 1];
  cell[item + 1][0] = score[(y + item) * stride + x - 1];
  cell[0][item + 1] = score[(y - 1) * stride + x + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 2 * TILE - 1; step++) {
    int row = step - item;
    if (row >= 0 && row < TILE)
      cell[row + 1][item + 1] = max(cell[row][item] + similar[row][item],
                                    max(cell[row + 1][item] - penalty, cell[row][item + 1] - penalty));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int row = 0; row < TILE; row++)
    score[(y + row) * stride + x + item] = cell[row + 1][item + 1];
}
