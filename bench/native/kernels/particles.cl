// Forces between particles, and points that look for the nearest centre.

kernel void all_pairs(global const float4* particles, global float4* forces, int n, float softening) {
  int i = get_global_id(0);
  float4 mine = particles[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; j++) {
    float4 other = particles[j];
    float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
    float strength = other.w * inverse * inverse * inverse;
    x += dx * strength;
    y += dy * strength;
    z += dz * strength;
  }
  forces[i] = (float4)(x, y, z, 0);
}

// Particles are sorted by cells of size 1, of which there are side^3; start has the index of each cell's first.
kernel void cells_in_reach(global const float4* particles, global const int* start, global float4* forces,
                           int n, int side) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 mine = particles[i];
  int cx = mine.x, cy = mine.y, cz = mine.z;
  float4 force = 0;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); z++)
    for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); y++)
      for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); x++) {
        int cell = (z * side + y) * side + x;
        for (int j = start[cell]; j < start[cell + 1]; j++) {
          float4 way = particles[j] - mine;
          float square = way.x * way.x + way.y * way.y + way.z * way.z;
          if (square < 1.0f) force += way * (particles[j].w * (1.0f - square));
        }
      }
  force.w = 0;
  forces[i] = force;
}

// Lennard-Jones forces of listed neighbours; the k-th neighbours of all particles lie side by side.
kernel void listed_neighbours(global const float4* particles, global const int* neighbour,
                              global float4* forces, int n, int count, float reach) {
  int i = get_global_id(0);
  float4 mine = particles[i], force = 0;
  for (int k = 0; k < count; k++) {
    float4 way = mine - particles[neighbour[k * n + i]];
    float square = way.x * way.x + way.y * way.y + way.z * way.z;
    if (square < reach) {
      float inverse = 1.0f / square, sixth = inverse * inverse * inverse;
      force += way * (inverse * sixth * (1.5f * sixth - 2.0f));
    }
  }
  force.w = 0;
  forces[i] = force;
}

kernel void nearest_centre(global const int* colours, global const int* centres, global int* sums, int n,
                           int count) {
  local int part[4 * 16];
  int i = get_global_id(0), item = get_local_id(0);
  if (item < 4 * count) part[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) {
    int r = colours[i], g = colours[n + i], b = colours[2 * n + i], best = 0, least = INT_MAX;
    for (int c = 0; c < count; c++) {
      int dr = r - centres[4 * c], dg = g - centres[4 * c + 1], db = b - centres[4 * c + 2];
      int square = dr * dr + dg * dg + db * db;
      if (square < least) {
        least = square;
        best = c;
      }
    }
    atomic_add(&part[4 * best], r);
    atomic_add(&part[4 * best + 1], g);
    atomic_add(&part[4 * best + 2], b);
    atomic_inc(&part[4 * best + 3]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 4 * count) atomic_add(&sums[item], part[item]);
}

kernel void move_centres(global int* centres, global int* sums) {
  int c = get_global_id(0);
  for (int channel = 0; channel < 3; channel++)
    if (sums[4 * c + 3] > 0) centres[4 * c + channel] = sums[4 * c + channel] / sums[4 * c + 3];
  for (int channel = 0; channel < 4; channel++)
    sums[4 * c + channel] = 0;
}
