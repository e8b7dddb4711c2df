#include "bench/native/code/code.hpp"

#include <atomic>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

void sparse_rows(const int* begin, const int* column, const float* value, const float* x, float* y,
                 int rows) {
  tbb::parallel_for(tbb::blocked_range<int>(0, rows, 256), [=](const auto& range) {
    for (int row = range.begin(); row < range.end(); ++row) {
      float sum = 0;
      for (int k = begin[row]; k < begin[row + 1]; ++k)
        sum += value[k] * x[column[k]];
      y[row] = sum;
    }
  });
}

void breadth_first(const int* begin, const int* edge, int* level, int nodes, int levels) {
  const auto level_of = [=](int node) { return std::atomic_ref(level[node]); };
  for (int depth = 0; depth < levels; ++depth)
    tbb::parallel_for(tbb::blocked_range<int>(0, nodes, 1024), [=](const auto& range) {
      for (int node = range.begin(); node < range.end(); ++node) {
        if (level_of(node).load(std::memory_order_relaxed) != depth) continue;
        for (int k = begin[node]; k < begin[node + 1]; ++k)
          if (const int next = edge[k]; level_of(next).load(std::memory_order_relaxed) < 0)
            level_of(next).store(depth + 1, std::memory_order_relaxed);
      }
    });
}

const Registered rows(NATIVE_COMPILER,
                      {entry<sparse_rows>("sparse_rows"), entry<breadth_first>("breadth_first")});

} // namespace
} // namespace bench::native
