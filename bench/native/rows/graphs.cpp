#include "bench/native/work.hpp"

#include <algorithm>
#include <numeric>

namespace bench::native {
namespace {

/// Rows of 1 to `most` places each: the index of each row's first place, and in the end their number.
std::vector<int> row_starts(int rows, int most) {
  Random random(1);
  std::vector<int> begin(rows + 1);
  for (int row = 0; row < rows; ++row)
    begin[row + 1] = begin[row] + 1 + int(random.below(most));
  return begin;
}

std::vector<int> places(int count, int limit) {
  Random random(2);
  std::vector<int> values(count);
  for (int& value : values)
    value = int(random.below(limit));
  return values;
}

void sparse_rows(Work& work) {
  const int rows = work.number(100'000, 500);
  const auto starts = row_starts(rows, 40);
  const Array begin = work.input(starts), column = work.input(places(starts.back(), rows)),
              value = work.input(random_values<float>(starts.back(), 0, 1)),
              x = work.input(random_values<float>(rows, 0, 1)), y = work.result(std::vector<float>(rows));
  work.launch("sparse_rows", {{(rows + 127) / 128 * 128}, {128}}, begin, column, value, x, y, rows);
}

/// The distance of the node that is farthest from the first, of those that a way leads to.
int depth_of(const std::vector<int>& begin, const std::vector<int>& edges) {
  std::vector<int> level(begin.size() - 1, -1), found = {0};
  level[0] = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int k = begin[found[i]]; k < begin[found[i] + 1]; ++k)
      if (int& next = level[edges[k]]; next < 0) {
        next = level[found[i]] + 1;
        found.push_back(edges[k]);
      }
  return level[found.back()];
}

void breadth_first(Work& work) {
  const int nodes = work.number(200'000, 1'000);
  const auto starts = row_starts(nodes, 10), ends = places(starts.back(), nodes);
  const int levels = depth_of(starts, ends);
  work.number(levels, levels);
  std::vector<int> first(nodes, -1);
  first[0] = 0;
  const Array begin = work.input(starts), edge = work.input(ends), level = work.result(first);
  for (int depth = 0; depth < levels; ++depth)
    work.launch("search_level", {{nodes}}, begin, edge, level, nodes, depth);
}

} // namespace

std::span<const Row> graph_rows() {
  static constexpr Row rows[] = {
      {"sparse_rows", "sparse matrix · vector, CSR", "graphs.cl", sparse_rows},
      {"breadth_first", "breadth-first search", "graphs.cl", breadth_first},
  };
  return rows;
}

} // namespace bench::native
