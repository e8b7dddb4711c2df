// Cases about atomic operations.

#include "bench/device.hpp"
#include "bench/reference/reference.hpp"

#include <iterator>

namespace bench {
namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count) {
  Random random;
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes)
    byte = std::uint8_t(random.bits());
  return bytes;
}

constexpr std::size_t global_histogram_size = 1 << 22;
constexpr std::size_t local_histogram_size = 1 << 24;
constexpr std::size_t bins_bytes = 256 * sizeof(cl_uint);

Measurement histogram_global(const Device& device) {
  const auto bytes = random_bytes(global_histogram_size);
  const cl::Buffer bins = device.empty_buffer<cl_uint>(256), bytes_buffer = device.buffer(bytes);
  const auto kernel = device.kernel("histogram.cl", "histogram_global", "", bytes_buffer, bins);
  const Measurement measured = device.time_from_zero(bins, bins_bytes, double(bytes.size()), kernel,
                                                     cl::NDRange(bytes.size()), cl::NDRange(256));
  check(device.read<cl_uint>(bins, 256) == reference::histogram(bytes), "the histogram");
  return measured;
}

Measurement histogram_global_in_cpp() {
  const auto bytes = random_bytes(global_histogram_size);
  return median(double(bytes.size()), [&] { reference::histogram_atomic(bytes); });
}

Measurement histogram_local(const Device& device) {
  constexpr std::size_t bytes_per_item = 64;
  const auto bytes = random_bytes(local_histogram_size);
  const cl::Buffer bins = device.empty_buffer<cl_uint>(256), bytes_buffer = device.buffer(bytes);
  const auto kernel =
      device.kernel("histogram.cl", "histogram_local", "", bytes_buffer, cl_uint(bytes.size()), bins);
  const Measurement measured =
      device.time_from_zero(bins, bins_bytes, double(bytes.size()), kernel,
                            cl::NDRange(bytes.size() / bytes_per_item), cl::NDRange(256));
  check(device.read<cl_uint>(bins, 256) == reference::histogram(bytes), "the histogram");
  return measured;
}

Measurement histogram_local_in_cpp() {
  const auto bytes = random_bytes(local_histogram_size);
  return median(double(bytes.size()), [&] { reference::histogram(bytes); });
}

Measurement add_to_one(const Device& device) {
  constexpr cl_uint items = 1 << 23;
  const cl::Buffer sum = device.empty_buffer<cl_uint>(1);
  const auto kernel = device.kernel("atomics.cl", "add_to_one", "", sum);
  const Measurement measured =
      device.time_from_zero(sum, sizeof items, items, kernel, cl::NDRange(items), cl::NDRange(256));
  check(device.read<cl_uint>(sum, 1)[0] == items, "the sum");
  return measured;
}

/// `kernel_file` has a kernel `append` that takes the index as a buffer of 4 bytes or as an atomic counter.
Measurement append_with(const Device& device, const char* kernel_file) {
  constexpr std::size_t items = 1 << 22;
  std::vector<cl_uint> values(items), expected;
  Random random;
  for (cl_uint i = 0; i < items; ++i)
    values[i] = 2 * i + cl_uint(random.bits() & 1);
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected),
               [](cl_uint value) { return value & 1; });

  const cl::Buffer count = device.empty_buffer<cl_uint>(1), found = device.empty_buffer<cl_uint>(items),
                   values_buffer = device.buffer(values);
  const auto kernel = device.kernel(kernel_file, "append", "", values_buffer, count, found);
  const Measurement measured = device.time_from_zero(count, sizeof(cl_uint), double(items), kernel,
                                                     cl::NDRange(items), cl::NDRange(256));

  check(device.read<cl_uint>(count, 1)[0] == expected.size(), "the number of appended values");
  auto actual = device.read<cl_uint>(found, expected.size());
  std::sort(actual.begin(), actual.end());
  check(actual == expected, "the appended values");
  return measured;
}

Measurement append(const Device& device) {
  return append_with(device, "atomics.cl");
}

Measurement append_counter(const Device& device) {
  if (!device.has_extension("cl_ext_atomic_counters_32")) throw Unsupported("no cl_ext_atomic_counters_32");
  return append_with(device, "append_counter.cl");
}

Measurement float_add(const Device& device) {
  constexpr std::size_t items = 1 << 21, cells = 256;
  std::vector<cl_uint> cell_of_item(items);
  std::vector<float> expected(cells);
  Random random;
  for (cl_uint& cell : cell_of_item)
    expected[cell = cl_uint(random.below(cells))] += 1.0f;

  const cl::Buffer sums = device.empty_buffer<float>(cells), cells_buffer = device.buffer(cell_of_item);
  const auto kernel = device.kernel("atomics.cl", "float_add", "", cells_buffer, sums);
  const Measurement measured = device.time_from_zero(sums, cells * sizeof(float), double(items), kernel,
                                                     cl::NDRange(items), cl::NDRange(256));
  check(device.read<float>(sums, cells) == expected, "the sums");
  return measured;
}

constexpr Unit items{"M/s", 1e6};
constexpr Case cases[] = {
    {"histogram_global", "histogram, global atomics, 256 bins", items, histogram_global,
     histogram_global_in_cpp},
    {"histogram_local", "histogram, local atomics", items, histogram_local, histogram_local_in_cpp},
    {"add_to_one", "all items add to one address", items, add_to_one},
    {"append", "append through an atomic index", items, append},
    {"append_counter", "append through an atomic counter", items, append_counter},
    {"float_add", "float add by compare-exchange, 256 cells", items, float_add},
};

} // namespace

std::span<const Case> atomic_cases() {
  return cases;
}

} // namespace bench
