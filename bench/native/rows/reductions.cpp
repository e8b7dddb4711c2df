#include "bench/native/work.hpp"

#include <limits>

namespace bench::native {
namespace {

template <class T>
std::vector<T> integers(int count, std::uint64_t limit) {
  Random random;
  std::vector<T> values(count);
  for (T& value : values)
    value = T(random.below(limit));
  return values;
}

void dot(Work& work) {
  const int n = work.number(1 << 23, 5000), groups = work.pick(64, 4), size = 256;
  const Array a = work.input(random_values<float>(n, 0, 1, 1)),
              b = work.input(random_values<float>(n, 0, 1, 2));
  const Array result = work.result(std::vector<float>(1), 1e-4), sums = work.scratch<float>(groups),
              ones = work.input(std::vector<float>(groups, 1));
  work.launch("dot_groups", {{groups * size}, {size}}, a, b, sums, cl::Local(size * sizeof(float)), n);
  work.launch("dot_groups", {{size}, {size}}, sums, ones, result, cl::Local(size * sizeof(float)), groups);
}

void maximum(Work& work) {
  const int n = work.number(1 << 22, 5000), size = 256;
  const Array values = work.input(integers<int>(n, 1 << 30)),
              largest = work.result(std::vector<int>(1, std::numeric_limits<int>::min()));
  work.launch("maximum_groups", {{(n + size - 1) / size * size}, {size}}, values, largest,
              cl::Local(size * sizeof(int)), n);
}

void scan(Work& work) {
  const int n = work.number(1 << 22, 1 << 12), size = work.pick(256, 64);
  const Array in = work.input(integers<int>(n, 10)), out = work.result(std::vector<int>(n));
  const cl::LocalSpaceArg part = cl::Local(size * sizeof(int));
  std::vector<Array> totals;
  std::vector<int> counts;
  Array from = in, to = out;
  for (int count = n;; count /= size) {
    if (count <= size) {
      work.launch("scan_groups", {{count}, {count}}, from, to, cl_mem(nullptr), part);
      break;
    }
    totals.push_back(work.scratch<int>(count / size));
    counts.push_back(count);
    work.launch("scan_groups", {{count}, {size}}, from, to, totals.back(), part);
    from = to = totals.back();
  }
  for (std::size_t level = counts.size(); level-- > 0;)
    work.launch("add_totals", {{counts[level]}, {size}}, level == 0 ? out : totals[level - 1], totals[level]);
}

void histogram(Work& work) {
  const int n = work.number(1 << 24, 5000), groups = 64, size = 256;
  const Array data = work.input(integers<cl_uchar>(n, 256)), bins = work.result(std::vector<int>(256));
  work.launch("histogram_groups", {{groups * size}, {size}}, data, bins, n);
}

} // namespace

std::span<const Row> reduction_rows() {
  static constexpr Row rows[] = {
      {"dot", "scalar product", "reductions.cl", dot},
      {"maximum", "maximum, tree in local memory", "reductions.cl", maximum},
      {"scan", "prefix sums", "reductions.cl", scan},
      {"histogram", "histogram, 256 bins in local memory", "reductions.cl", histogram},
  };
  return rows;
}

} // namespace bench::native
