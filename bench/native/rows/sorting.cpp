#include "bench/native/work.hpp"

namespace bench::native {
namespace {

std::vector<cl_uint> keys(int count) {
  Random random;
  std::vector<cl_uint> values(count);
  for (cl_uint& value : values)
    value = cl_uint(random.bits());
  return values;
}

void bitonic(Work& work) {
  const int n = work.number(1 << 17, 1 << 9);
  const Array sorted = work.result(keys(n));
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2)
      work.launch("bitonic_step", {{n / 2}}, sorted, distance, size);
}

void radix_sort(Work& work) {
  const int n = work.number(1 << 20, 1 << 11), chunk = work.pick(1 << 10, 1 << 5), items = n / chunk,
            scanners = 64;
  const Array sorted = work.result(keys(n)), other = work.scratch<cl_uint>(n),
              counts = work.scratch<int>(256 * items);
  Array from = sorted, to = other;
  for (int shift = 0; shift < 32; shift += 8, std::swap(from, to)) {
    work.launch("radix_count", {{items}, {16}}, from, counts, chunk, shift);
    work.launch("radix_scan", {{scanners}, {scanners}}, counts, cl::Local(scanners * sizeof(int)),
                256 * items);
    work.launch("radix_scatter", {{items}, {16}}, from, to, counts, chunk, shift);
  }
}

} // namespace

std::span<const Row> sorting_rows() {
  static constexpr Row rows[] = {
      {"bitonic", "bitonic sorting network", "sorting.cl", bitonic},
      {"radix_sort", "radix sort, 8 bits a pass", "sorting.cl", radix_sort},
  };
  return rows;
}

} // namespace bench::native
