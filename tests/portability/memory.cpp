// Sizes and alignment of buffers.

#include "portability/program.hpp"

#include <algorithm>

namespace portability {

namespace {

/// Allocates the bytes in one buffer. The mended form allocates as many buffers as the device needs for them.
void large_buffer(Bench& bench, std::size_t bytes) {
  const std::size_t most = bench.mended ? bench.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) : bytes;
  for (std::size_t left = bytes; left > 0; left -= std::min(left, most))
    bench.buffer(std::min(left, most));
}
void buffer_of_64m(Bench& bench) {
  large_buffer(bench, std::size_t{64} << 20);
}
void buffer_of_320m(Bench& bench) {
  large_buffer(bench, bench.mended ? std::size_t{96} << 20 : std::size_t{320} << 20);
}

/// Keeps 200 MB of buffers, or one piece after the other if the device has less memory.
void much_memory(Bench& bench) {
  const bool has_room = bench.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE) >= 200'000'000;
  for (int i = 0; i < 8; ++i) {
    cl_mem part = bench.buffer(25'000'000);
    const std::vector<cl_uint> data(1000, 7);
    check(clEnqueueWriteBuffer(bench.queue, part, CL_TRUE, 0, 4000, data.data(), 0, nullptr, nullptr));
    if (bench.mended && !has_room) clReleaseMemObject(part);
  }
}

void sub_buffer(Bench& bench) {
  const std::size_t alignment = bench.mended ? bench.info<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8 : 128;
  cl_mem whole = bench.buffer(64 << 10);
  const cl_buffer_region region{alignment, 1024};
  cl_int code = 1;
  clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  check(code);
}

} // namespace

std::vector<Program> memory_programs() {
  return {
      {"a buffer of 64 MiB", {"embedded"}, CL_INVALID_BUFFER_SIZE, "67108864", buffer_of_64m},
      {"a buffer of 320 MiB",
       {"least-1.2", "least-3.0"},
       CL_INVALID_BUFFER_SIZE,
       "335544320",
       buffer_of_320m},
      {"200 MB of buffers",
       {"embedded"},
       CL_MEM_OBJECT_ALLOCATION_FAILURE,
       "CL_DEVICE_GLOBAL_MEM_SIZE",
       much_memory},
      {"a sub-buffer at byte 128",
       {"rtx-3050", "radeon-vii", "apple-m4-pro"},
       CL_MISALIGNED_SUB_BUFFER_OFFSET,
       "128",
       sub_buffer},
  };
}

} // namespace portability
