#include "bench/native/work.hpp"

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

void add_to_one(Work& work) {
  const int n = work.number(1 << 23, 5000);
  const Array values = work.input(integers<cl_uint>(n, 1000)), sum = work.result(std::vector<cl_uint>(1));
  work.launch("add_to_one", {{n}}, values, sum);
}

/// Counts `n` bytes.
void count(Work& work, const char* kernel, int n, int counters) {
  const Array values = work.input(integers<cl_uchar>(n, 256)),
              counts = work.result(std::vector<cl_uint>(counters));
  work.launch(kernel, {{n}}, values, counts);
}

void count_line(Work& work) {
  count(work, "count_line", work.number(1 << 23, 5000), 16);
}

void count_bytes(Work& work) {
  count(work, "count_bytes", work.number(1 << 22, 5000), 256);
}

void append(Work& work) {
  const int n = work.number(1 << 22, 5000);
  const Array values = work.input(integers<cl_uint>(n, 1u << 31)),
              count = work.result(std::vector<cl_uint>(1)),
              found = work.unordered_result(std::vector<cl_uint>(n));
  work.launch("append", {{n}}, values, count, found);
}

void float_add(Work& work) {
  const int n = work.number(1 << 21, 5000), cells = 256;
  const Array places = work.input(integers<cl_uint>(n, cells)),
              sums = work.result(std::vector<float>(cells), 0); // small whole numbers: sums are exact
  work.launch("float_add", {{n}}, places, sums);
}

} // namespace

std::span<const Row> atomic_rows() {
  static constexpr Row rows[] = {
      {"add_to_one", "all items add to one address", "atomics.cl", add_to_one},
      {"count_line", "16 counters on one cache line", "atomics.cl", count_line},
      {"count_bytes", "histogram, 256 bins in global memory", "atomics.cl", count_bytes},
      {"append", "append through an atomic index", "atomics.cl", append},
      {"float_add", "float add by compare-exchange, 256 cells", "atomics.cl", float_add},
  };
  return rows;
}

} // namespace bench::native
