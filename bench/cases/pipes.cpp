// Cases about pipes: all packets are written, and then read.

#include "bench/device.hpp"
#include "bench/reference/queue.hpp"

#include <numeric>

namespace bench {
namespace {

constexpr cl_uint packets = 1 << 20;

std::vector<cl_uint> numbers() {
  std::vector<cl_uint> values(packets);
  std::iota(values.begin(), values.end(), 0u);
  return values;
}

std::vector<cl_uint> odd_numbers() {
  auto values = numbers();
  std::erase_if(values, [](cl_uint value) { return value % 2 == 0; });
  return values;
}

/// Packets may arrive in any order.
void check_all(std::vector<cl_uint> read, const std::vector<cl_uint>& expected) {
  std::sort(read.begin(), read.end());
  check(read == expected, "the packets that were read");
}

/// @param expected what the writer lets through
Measurement through_pipe(const Device& device, const char* writer, const char* reader,
                         const std::vector<cl_uint>& expected) {
  if (!device.has_pipes()) throw Unsupported("no pipes");
  const cl::Pipe pipe(device.context(), sizeof(cl_uint), packets);
  const cl::Buffer values = device.buffer(numbers()), found = device.empty_buffer<cl_uint>(expected.size());
  const char* options = "-cl-std=CL3.0";
  const auto write = device.kernel("pipes.cl", writer, options, values, pipe),
             read = device.kernel("pipes.cl", reader, options, pipe, found);
  const Measurement measured = median(packets, [&] {
    device.launch(write, cl::NDRange(packets), cl::NDRange(256));
    device.launch(read, cl::NDRange(expected.size()), cl::NDRange(256));
    device.queue().finish();
  });
  check_all(device.read<cl_uint>(found, expected.size()), expected);
  return measured;
}

Measurement by_items(const Device& device) {
  return through_pipe(device, "write_items", "read_items", numbers());
}
Measurement by_groups(const Device& device) {
  return through_pipe(device, "write_groups", "read_groups", numbers());
}
Measurement of_some_items(const Device& device) {
  return through_pipe(device, "write_odd", "read_items", odd_numbers());
}

Measurement by_items_in_cpp() {
  const auto values = numbers();
  std::vector<cl_uint> found(packets);
  const Measurement measured =
      median(packets, [&, queue = reference::Queue(packets)]() mutable { queue.pass(values, found); });
  check_all(found, values);
  return measured;
}

constexpr Unit rate{"M/s", 1e6};
constexpr Case cases[] = {
    {"pipe", "pipe, packets of 4 bytes", rate, by_items, by_items_in_cpp},
    {"pipe_groups", "pipe, reservations of work-groups", rate, by_groups},
    {"pipe_filter", "pipe that every second work-item writes to", rate, of_some_items},
};

} // namespace

std::span<const Case> pipe_cases() {
  return cases;
}

} // namespace bench
