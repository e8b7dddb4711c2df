#include "bench/native/code/code.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

struct Vector {
  float x, y, z, w;
};

void all_pairs(const Vector* particles, Vector* forces, int n) {
  tbb::parallel_for(0, n, [=](int i) {
    const Vector mine = particles[i];
    float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
    for (int j = 0; j < n; ++j) {
      const float dx = particles[j].x - mine.x, dy = particles[j].y - mine.y, dz = particles[j].z - mine.z;
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float strength = particles[j].w * inverse * inverse * inverse;
      x += dx * strength;
      y += dy * strength;
      z += dz * strength;
    }
    forces[i] = {x, y, z, 0};
  });
}

void add_cell(Vector& force, const Vector& mine, const Vector* first, const Vector* last) {
  for (; first != last; ++first) {
    const float dx = first->x - mine.x, dy = first->y - mine.y, dz = first->z - mine.z;
    const float square = dx * dx + dy * dy + dz * dz;
    if (square >= 1) continue;
    const float strength = first->w * (1 - square);
    force.x += dx * strength;
    force.y += dy * strength;
    force.z += dz * strength;
  }
}

void cells_in_reach(const Vector* particles, const int* start, Vector* forces, int n, int side) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n, 64), [=](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i) {
      const Vector mine = particles[i];
      Vector force = {0, 0, 0, 0};
      const int cx = int(mine.x), cy = int(mine.y), cz = int(mine.z);
      for (int z = std::max(cz - 1, 0); z <= std::min(cz + 1, side - 1); ++z)
        for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, side - 1); ++y) {
          const int row = (z * side + y) * side; // whose cells follow each other
          add_cell(force, mine, particles + start[row + std::max(cx - 1, 0)],
                   particles + start[row + std::min(cx + 1, side - 1) + 1]);
        }
      forces[i] = force;
    }
  });
}

/// `neighbours` has those of one particle side by side.
void listed_neighbours(const Vector* particles, const int* neighbours, Vector* forces, int n, int count) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n, 64), [=](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i) {
      float x = 0, y = 0, z = 0;
      for (int k = 0; k < count; ++k) {
        const Vector& other = particles[neighbours[i * count + k]];
        const float dx = particles[i].x - other.x, dy = particles[i].y - other.y,
                    dz = particles[i].z - other.z;
        const float square = dx * dx + dy * dy + dz * dz;
        if (square >= 0.25f) continue;
        const float inverse = 1 / square, sixth = inverse * inverse * inverse;
        const float strength = inverse * sixth * (1.5f * sixth - 2);
        x += dx * strength;
        y += dy * strength;
        z += dz * strength;
      }
      forces[i] = {x, y, z, 0};
    }
  });
}

using Sums = std::array<int, 4 * 16>;

int nearest(int r, int g, int b, const int* centres, int count) {
  int best = 0, least = std::numeric_limits<int>::max();
  for (int c = 0; c < count; ++c) {
    const int dr = r - centres[4 * c], dg = g - centres[4 * c + 1], db = b - centres[4 * c + 2];
    if (const int square = dr * dr + dg * dg + db * db; square < least) {
      least = square;
      best = c;
    }
  }
  return best;
}

void kmeans(const int* colours, int* centres, int n, int count, int steps) {
  for (int step = 0; step < steps; ++step) {
    tbb::combinable<Sums> parts([] { return Sums{}; });
    tbb::parallel_for(tbb::blocked_range<int>(0, n, 4096), [&](const auto& range) {
      Sums& mine = parts.local();
      for (int i = range.begin(); i < range.end(); ++i) {
        const int r = colours[i], g = colours[n + i], b = colours[2 * n + i];
        int* sums = mine.data() + 4 * std::ptrdiff_t(nearest(r, g, b, centres, count));
        sums[0] += r;
        sums[1] += g;
        sums[2] += b;
        ++sums[3];
      }
    });
    Sums sums{};
    parts.combine_each([&](const Sums& part) {
      std::transform(part.begin(), part.end(), sums.begin(), sums.begin(), std::plus<>());
    });
    for (int c = 0; c < count; ++c)
      for (int channel = 0; channel < 3; ++channel)
        if (sums[4 * c + 3] > 0) centres[4 * c + channel] = sums[4 * c + channel] / sums[4 * c + 3];
  }
}

const Registered rows(NATIVE_COMPILER,
                      {entry<all_pairs>("all_pairs"), entry<cells_in_reach>("cells_in_reach"),
                       entry<listed_neighbours>("listed_neighbours"), entry<kmeans>("kmeans")});

} // namespace
} // namespace bench::native
