#include "bench/native/work.hpp"

#include <algorithm>

namespace bench::native {
namespace {

/// Particles in a cube, with a mass in w.
std::vector<cl_float4> particles(int count, float side) {
  const auto values = random_values<float>(4 * count, 0, 1);
  std::vector<cl_float4> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = {
        {side * values[4 * i], side * values[4 * i + 1], side * values[4 * i + 2], 0.5f + values[4 * i + 3]}};
  return result;
}

void all_pairs(Work& work) {
  const int n = work.number(6'000, 200);
  const Array all = work.input(particles(n, 1)), forces = work.result(std::vector<float>(4 * n), 1e-4);
  work.launch("all_pairs", {{n}}, all, forces, n, 0.01f);
}

void cells_in_reach(Work& work) {
  const int n = work.number(40'000, 500), side = work.number(12, 4);
  auto all = particles(n, float(side));
  const auto cell_of = [&](const cl_float4& p) {
    return (int(p.s[2]) * side + int(p.s[1])) * side + int(p.s[0]);
  };
  std::ranges::sort(all, {}, cell_of);
  std::vector<int> start(side * side * side + 1);
  for (int cell = 0; cell < int(start.size()); ++cell)
    start[cell] = int(std::ranges::lower_bound(all, cell, {}, cell_of) - all.begin());
  const Array sorted = work.input(all), starts = work.input(start),
              forces = work.result(std::vector<float>(4 * n), 1e-4);
  work.launch("cells_in_reach", {{n}}, sorted, starts, forces, n, side);
}

void listed_neighbours(Work& work) {
  const int n = work.number(1 << 15, 1 << 8), count = work.number(96, 10);
  Random random(2);
  std::vector<int> by_particle(n * count), by_neighbour(n * count);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < count; ++k) {
      const int far = 1 + int(random.below(n / 4)); // not the particle itself
      by_particle[i * count + k] = by_neighbour[k * n + i] = (i + far) % n;
    }
  const Array all = work.input(particles(n, 1)), natives = work.input(by_particle),
              forces = work.result(std::vector<float>(4 * n), 1e-4), lists = work.input(by_neighbour);
  static_cast<void>(natives);
  work.launch("listed_neighbours", {{n}}, all, lists, forces, n, count, 0.25f);
}

void kmeans(Work& work) {
  const int n = work.number(300'000, 2'000), count = work.number(16, 5), steps = work.number(4, 3),
            size = 128;
  Random random;
  std::vector<int> colours(3 * n), first(4 * count);
  for (int& colour : colours)
    colour = int(random.below(256));
  for (int& colour : first)
    colour = int(random.below(256));
  const Array points = work.input(colours), centres = work.result(first),
              sums = work.result(std::vector<int>(4 * count));
  for (int step = 0; step < steps; ++step) {
    work.launch("nearest_centre", {{(n + size - 1) / size * size}, {size}}, points, centres, sums, n, count);
    work.launch("move_centres", {{count}}, centres, sums);
  }
}

} // namespace

std::span<const Row> particle_rows() {
  static constexpr Row rows[] = {
      {"all_pairs", "n-body, all pairs", "particles.cl", all_pairs},
      {"cells_in_reach", "n-body, cells in reach", "particles.cl", cells_in_reach},
      {"listed_neighbours", "molecular dynamics, neighbour lists", "particles.cl", listed_neighbours},
      {"kmeans", "k-means of colours", "particles.cl", kmeans},
  };
  return rows;
}

} // namespace bench::native
