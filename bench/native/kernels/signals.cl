// Transforms and random numbers.

// One transform of n points per work-group of n / 2 work-items: radix 2, sorted on the way (Stockham).
kernel void fourier(global const float2* in, global float2* out, global const float2* roots, local float2* a,
                    local float2* b, int n) {
  int item = get_local_id(0), half_n = n / 2, base = get_group_id(0) * n;
  a[item] = in[base + item];
  a[item + half_n] = in[base + item + half_n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int span = 1; span < n; span *= 2) {
    int k = item % span;
    float2 root = roots[k * (half_n / span)], low = a[item], high = a[item + half_n];
    high = (float2)(high.x * root.x - high.y * root.y, high.x * root.y + high.y * root.x);
    int place = item / span * 2 * span + k;
    b[place] = low + high;
    b[place + span] = low - high;
    barrier(CLK_LOCAL_MEM_FENCE);
    local float2* other = a;
    a = b;
    b = other;
  }
  out[base + item] = a[item];
  out[base + item + half_n] = a[item + half_n];
}

// The discrete cosine transform of each block of 8 × 8: the matrix, the block, and the matrix again.
kernel void cosine_blocks(global const float* in, global float* out, global const float* matrix, int width) {
  local float block[8][8], half_way[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  int place = (get_group_id(1) * 8 + y) * width + get_group_id(0) * 8 + x;
  block[y][x] = in[place];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += matrix[y * 8 + k] * block[k][x];
  half_way[y][x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (int k = 0; k < 8; k++)
    sum += half_way[y][k] * matrix[x * 8 + k];
  out[place] = sum;
}

uint next_random(uint state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ (state << 5);
}

// What an option pays at the end of a random path of its price.
kernel void option_paths(global const uint* seeds, global float* payoff, int steps, float drift,
                         float volatility) {
  int i = get_global_id(0);
  uint state = seeds[i];
  float price = 100;
  for (int step = 0; step < steps; step++) {
    state = next_random(state);
    float u = ((state >> 8) + 0.5f) * 0x1p-24f;
    state = next_random(state);
    float angle = (state >> 8) * (6.2831853f * 0x1p-24f);
    price *= exp(drift + volatility * sqrt(-2.0f * log(u)) * cos(angle));
  }
  payoff[i] = fmax(price - 100.0f, 0.0f);
}

// How many of an item's random points lie in the unit circle.
kernel void points_in_circle(global const uint* seeds, global int* inside, int points) {
  int i = get_global_id(0);
  uint state = seeds[i];
  int count = 0;
  for (int k = 0; k < points; k++) {
    state = next_random(state);
    float x = (state >> 8) * 0x1p-24f;
    state = next_random(state);
    float y = (state >> 8) * 0x1p-24f;
    if (x * x + y * y < 1.0f) count++;
  }
  inside[i] = count;
}
