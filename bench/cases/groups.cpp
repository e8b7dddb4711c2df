// Cases in which work-items work together, and irregular ones.

#include "bench/device.hpp"

#include <numeric>

namespace bench {
namespace {

constexpr std::size_t group_size = 256;

Measurement reduction(const Device& device) {
  constexpr std::size_t count = 1 << 24;
  // Whole numbers, so that the order of the additions does not matter.
  auto in = random_values<float>(count, 0, 100);
  for (float& value : in)
    value = std::floor(value);
  const cl::Buffer sums = device.empty_buffer<float>(count / group_size), in_buffer = device.buffer(in);
  const auto kernel =
      device.kernel("groups.cl", "reduce", "", in_buffer, sums, cl::Local(group_size * sizeof(float)));
  const Measurement measured =
      device.time(double(count * sizeof(float)), kernel, cl::NDRange(count), cl::NDRange(group_size));

  const auto actual = device.read<float>(sums, count / group_size);
  for (std::size_t group = 0; group < actual.size(); ++group) {
    const auto first = in.begin() + std::ptrdiff_t(group * group_size);
    check(actual[group] == std::accumulate(first, first + group_size, 0.0f), "the sum of a group");
  }
  return measured;
}

Measurement scan(const Device& device) {
  constexpr std::size_t count = 1 << 24;
  const auto in = random_values<cl_uint>(count, 0, 1000);
  const cl::Buffer out = device.empty_buffer<cl_uint>(count), in_buffer = device.buffer(in);
  const auto kernel =
      device.kernel("groups.cl", "scan", "", in_buffer, out, cl::Local(group_size * sizeof(cl_uint)));
  const Measurement measured =
      device.time(2.0 * sizeof(cl_uint) * count, kernel, cl::NDRange(count), cl::NDRange(group_size));

  const auto actual = device.read<cl_uint>(out, count);
  cl_uint sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum = (i % group_size == 0 ? 0 : sum) + in[i];
    check(actual[i] == sum, "an element of the scan");
  }
  return measured;
}

Measurement bitonic_sort(const Device& device) {
  constexpr cl_uint count = 1 << 16;
  const auto keys = random_values<cl_uint>(count, 0, 4e9);
  const cl::Buffer buffer = device.buffer(keys);
  auto kernel = device.kernel("groups.cl", "bitonic_step", "", buffer);
  const auto sort = [&] {
    for (cl_uint run = 2; run <= count; run *= 2)
      for (cl_uint distance = run / 2; distance > 0; distance /= 2) {
        kernel.setArg(1, run);
        kernel.setArg(2, distance);
        device.launch(kernel, cl::NDRange(count / 2));
      }
    device.queue().finish();
  };
  const Measurement measured = median(count, sort, [&] {
    device.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, count * sizeof(cl_uint), keys.data());
  });

  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  check(device.read<cl_uint>(buffer, count) == expected, "the order of the keys");
  return measured;
}

/// A sparse matrix in compressed rows: 4 to 28 elements a row, near the diagonal and far from it.
struct SparseMatrix {
  static constexpr std::size_t rows = 1 << 18;
  std::vector<cl_uint> row_begin{0}, columns;
  std::vector<float> values;

  SparseMatrix() {
    Random random;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint64_t i = 4 + random.below(25); i > 0; --i) {
        const bool near = random.below(4) != 0;
        columns.push_back(cl_uint(near ? (row + random.below(64)) % rows : random.below(rows)));
        values.push_back(float(random.between(-1, 1)));
      }
      row_begin.push_back(cl_uint(columns.size()));
    }
  }
};

Measurement spmv(const Device& device) {
  const SparseMatrix matrix;
  const auto x = random_values<float>(SparseMatrix::rows, -1, 1);
  const cl::Buffer y = device.empty_buffer<float>(SparseMatrix::rows),
                   row_begin = device.buffer(matrix.row_begin), columns = device.buffer(matrix.columns),
                   values = device.buffer(matrix.values), x_buffer = device.buffer(x);
  const auto kernel = device.kernel("groups.cl", "spmv", "", row_begin, columns, values, x_buffer, y);
  const Measurement measured =
      device.time(2.0 * double(matrix.values.size()), kernel, cl::NDRange(SparseMatrix::rows));

  std::vector<double> expected(SparseMatrix::rows);
  for (std::size_t row = 0; row < expected.size(); ++row)
    for (cl_uint i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i)
      expected[row] += double(matrix.values[i]) * x[matrix.columns[i]];
  check_close(device.read<float>(y, expected.size()), expected, 1e-5);
  return measured;
}

constexpr Unit bandwidth{"GB/s", 1e9};
constexpr Case cases[] = {
    {"reduction", "reduction in local memory, barriers", bandwidth, reduction},
    {"scan", "scan in local memory, barriers", bandwidth, scan},
    {"bitonic_sort", "bitonic sort, 64 K keys", {"M keys/s", 1e6}, bitonic_sort},
    {"spmv", "sparse matrix · vector, CSR scalar", {"GFLOP/s", 1e9}, spmv},
};

} // namespace

std::span<const Case> group_cases() {
  return cases;
}

} // namespace bench
