#include "bench/native/work.hpp"

#include <algorithm>

namespace bench::native {
namespace {

void lattice_boltzmann(Work& work) {
  const int width = work.number(512, 40), height = work.number(384, 30), steps = work.number(4, 2);
  const Array a = work.result(random_values<float>(9 * width * height, 0.9, 1.1)),
              b = work.result(std::vector<float>(9 * width * height));
  for (int step = 0; step < steps; ++step) {
    work.launch("lattice_boltzmann", {{width, height}}, a, b, width, height, 0.8f);
    work.launch("lattice_boltzmann", {{width, height}}, b, a, width, height, 0.8f);
  }
}

void lattice_boltzmann_half(Work& work) {
  const int width = work.number(1024, 40), height = work.number(768, 30), steps = work.number(4, 2),
            count = 9 * width * height;
  const Array first = work.input(random_values<float>(count, 0.9, 1.1)), a = work.scratch<cl_half>(count),
              b = work.scratch<cl_half>(count), last = work.result(std::vector<float>(count), 4e-3);
  work.launch("halves_of", {{count}}, first, a);
  for (int step = 0; step < steps; ++step) {
    work.launch("lattice_boltzmann_half", {{width, height}}, a, b, width, height, 0.8f);
    work.launch("lattice_boltzmann_half", {{width, height}}, b, a, width, height, 0.8f);
  }
  work.launch("floats_of", {{count}}, a, last);
}

std::vector<int> integers(int count, int low, int high) {
  Random random;
  std::vector<int> values(count);
  for (int& value : values)
    value = low + int(random.below(high - low));
  return values;
}

void pathfinder(Work& work) {
  const int width = work.number(200'000, 700), rows = work.number(60, 6), size = 256;
  const Array cost = work.input(integers(width * rows, 0, 10)), a = work.result(integers(width, 0, 10)),
              b = work.result(std::vector<int>(width));
  for (int row = 0; row < rows; ++row)
    work.launch("path_row", {{(width + size - 1) / size * size}, {size}}, cost, row % 2 ? b : a,
                row % 2 ? a : b, width, row);
}

void needleman_wunsch(Work& work) {
  const int n = work.number(2048, 64), tile = 16, tiles = n / tile, penalty = 10;
  std::vector<int> first((n + 1) * (n + 1));
  for (int i = 1; i <= n; ++i)
    first[i] = first[i * (n + 1)] = -penalty * i;
  const Array similarity = work.input(integers(n * n, -10, 11)), score = work.result(first);
  for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
    const int left = std::max(0, diagonal - tiles + 1), count = std::min(diagonal, tiles - 1) + 1 - left;
    work.launch("align_tiles", {{count * tile}, {tile}}, similarity, score, n, diagonal, left, penalty);
  }
}

} // namespace

std::span<const Row> dynamic_rows() {
  static constexpr Row rows[] = {
      {"lattice_boltzmann", "lattice Boltzmann, nine speeds", "dynamics.cl", lattice_boltzmann},
      {"lattice_boltzmann_half", "the same with half numbers in memory", "dynamics.cl",
       lattice_boltzmann_half},
      {"pathfinder", "cheapest way, a launch per row", "dynamics.cl", pathfinder},
      {"needleman_wunsch", "alignment in tiles of 16 × 16", "dynamics.cl", needleman_wunsch},
  };
  return rows;
}

} // namespace bench::native
