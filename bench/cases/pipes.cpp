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

/// Packets may arrive in any order.
void check_all(std::vector<cl_uint> read) {
  std::sort(read.begin(), read.end());
  check(read == numbers(), "the packets that were read");
}

Measurement through_pipe(const Device& device, const char* writer, const char* reader) {
  if (!device.has_pipes()) throw Unsupported("no pipes");
  const cl::Pipe pipe(device.context(), sizeof(cl_uint), packets);
  const cl::Buffer values = device.buffer(numbers()), found = device.empty_buffer<cl_uint>(packets);
  const char* options = "-cl-std=CL3.0";
  const auto write = device.kernel("pipes.cl", writer, options, values, pipe),
             read = device.kernel("pipes.cl", reader, options, pipe, found);
  const Measurement measured = median(packets, [&] {
    device.launch(write, cl::NDRange(packets), cl::NDRange(256));
    device.launch(read, cl::NDRange(packets), cl::NDRange(256));
    device.queue().finish();
  });
  check_all(device.read<cl_uint>(found, packets));
  return measured;
}

Measurement by_items(const Device& device) {
  return through_pipe(device, "write_items", "read_items");
}
Measurement by_groups(const Device& device) {
  return through_pipe(device, "write_groups", "read_groups");
}

Measurement by_items_in_cpp() {
  const auto values = numbers();
  std::vector<cl_uint> found(packets);
  const Measurement measured =
      median(packets, [&, queue = reference::Queue(packets)]() mutable { queue.pass(values, found); });
  check_all(found);
  return measured;
}

constexpr Unit rate{"M/s", 1e6};
constexpr Case cases[] = {
    {"pipe", "pipe, packets of 4 bytes", rate, by_items, by_items_in_cpp},
    {"pipe_groups", "pipe, reservations of work-groups", rate, by_groups},
};

} // namespace

std::span<const Case> pipe_cases() {
  return cases;
}

} // namespace bench
