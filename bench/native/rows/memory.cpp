#include "bench/native/work.hpp"

namespace bench::native {
namespace {

void triad(Work& work) {
  const int n = work.number(1 << 23, 1000);
  const Array a = work.result(std::vector<float>(n)), b = work.input(random_values<float>(n, 0, 1, 1)),
              c = work.input(random_values<float>(n, 0, 1, 2));
  work.launch("triad", {{n}}, a, b, c, 0.4f);
}

void transpose(Work& work) {
  const int width = work.number(2048, 64), height = work.number(1536, 32);
  const Array in = work.input(random_values<float>(width * height, 0, 1)),
              out = work.result(std::vector<float>(width * height));
  work.launch("transpose", {{width, height}, {16, 16}}, in, out, width, height);
}

void small_launches(Work& work) {
  const int n = work.number(1000, 100), launches = work.number(4000, 20);
  const Array y = work.result(random_values<float>(n, 0, 1, 1), 1e-3),
              x = work.input(random_values<float>(n, 0, 1, 2));
  for (int launch = 0; launch < launches; ++launch)
    work.launch("add_scaled", {{n}}, y, x, launch % 2 ? -0.5f : 0.75f, n);
}

} // namespace

std::span<const Row> memory_rows() {
  static constexpr Row rows[] = {
      {"triad", "triad", "memory.cl", triad},
      {"transpose", "transposition in tiles", "memory.cl", transpose},
      {"small_launches", "4,000 launches of 1,000 items", "memory.cl", small_launches},
  };
  return rows;
}

} // namespace bench::native
