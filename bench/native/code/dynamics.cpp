#include "bench/native/code/code.hpp"

#include <algorithm>
#include <array>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <utility>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" // it makes no vectors of half numbers
#endif

namespace bench::native {
namespace {

constexpr std::array<int, 9> step_x = {0, 1, 0, -1, 0, 1, -1, -1, 1}, step_y = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::array<float, 9> weight = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                         1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

/// The cell at `x`, whose neighbours are `left` and `right` of it; `from` and `to` have the row of each speed.
template <class T>
inline void collide(const std::array<const T*, 9>& from, const std::array<T*, 9>& to, int x, int left,
                    int right) {
  std::array<float, 9> f;
  float density = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    f[k] = float(from[k][step_x[k] == 0 ? x : step_x[k] > 0 ? left : right]);
    density += f[k];
    ux += float(step_x[k]) * f[k];
    uy += float(step_y[k]) * f[k];
  }
  ux /= density;
  uy /= density;
  const float square = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; ++k) {
    const float along = 3 * (float(step_x[k]) * ux + float(step_y[k]) * uy);
    const float equal = weight[k] * density * (1 + along + 0.5f * along * along - square);
    to[k][x] = T(f[k] + 0.8f * (equal - f[k]));
  }
}

template <class T>
void lattice_boltzmann_row(const T* from, T* to, int y, int width, int height) {
  std::array<const T*, 9> sources;
  std::array<T*, 9> targets;
  for (int k = 0; k < 9; ++k) {
    sources[k] = from + k * width * height + (y - step_y[k] + height) % height * width;
    targets[k] = to + k * width * height + y * width;
  }
  collide(sources, targets, 0, width - 1, 1);
#pragma omp simd
  for (int x = 1; x < width - 1; ++x)
    collide(sources, targets, x, x - 1, x + 1);
  collide(sources, targets, width - 1, width - 2, 0);
}

template <class T>
void run_lattice_boltzmann(T* a, T* b, int width, int height, int steps) {
  for (int step = 0; step < 2 * steps; ++step, std::swap(a, b))
    tbb::parallel_for(0, height, [=](int y) { lattice_boltzmann_row(a, b, y, width, height); });
}

void lattice_boltzmann(float* a, float* b, int width, int height, int steps) {
  run_lattice_boltzmann(a, b, width, height, steps);
}

template <class From, class To>
void convert(const From* from, To* to, int count) {
  tbb::parallel_for(tbb::blocked_range<int>(0, count, 16384), [=](const auto& range) {
    std::copy(from + range.begin(), from + range.end(), to + range.begin());
  });
}

void lattice_boltzmann_half(const float* first, _Float16* a, _Float16* b, float* last, int width, int height,
                            int steps) {
  convert(first, a, 9 * width * height);
  run_lattice_boltzmann(a, b, width, height, steps);
  convert(a, last, 9 * width * height);
}

void path_cells(const int* __restrict cost, const int* __restrict from, int* __restrict to, int first,
                int last) {
  for (int x = first; x < last; ++x)
    to[x] = std::min(from[x], std::min(from[x - 1], from[x + 1])) + cost[x];
}

void pathfinder(const int* cost, int* a, int* b, int width, int rows) {
  for (int row = 0; row < rows; ++row, std::swap(a, b)) {
    const int* costs = cost + row * width;
    tbb::parallel_for(tbb::blocked_range<int>(1, width - 1, 8192),
                      [=](const auto& range) { path_cells(costs, a, b, range.begin(), range.end()); });
    b[0] = std::min(a[0], a[1]) + costs[0];
    b[width - 1] = std::min(a[width - 1], a[width - 2]) + costs[width - 1];
  }
}

constexpr int tile = 16;

void align_tile(const int* similarity, int* score, int n, int tile_x, int tile_y) {
  for (int y = tile_y * tile; y < (tile_y + 1) * tile; ++y)
    for (int x = tile_x * tile; x < (tile_x + 1) * tile; ++x) {
      int* cell = score + (y + 1) * (n + 1) + x + 1;
      *cell = std::max(cell[-n - 2] + similarity[y * n + x], std::max(cell[-1], cell[-n - 1]) - 10);
    }
}

void needleman_wunsch(const int* similarity, int* score, int n) {
  const int tiles = n / tile;
  for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal)
    tbb::parallel_for(std::max(0, diagonal - tiles + 1), std::min(diagonal, tiles - 1) + 1,
                      [=](int tile_x) { align_tile(similarity, score, n, tile_x, diagonal - tile_x); });
}

const Registered rows(NATIVE_COMPILER,
                      {entry<lattice_boltzmann>("lattice_boltzmann"),
                       entry<lattice_boltzmann_half>("lattice_boltzmann_half"),
                       entry<pathfinder>("pathfinder"), entry<needleman_wunsch>("needleman_wunsch")});

} // namespace
} // namespace bench::native
