#pragma once

// A case of HOSTCL_CHECK=commands, and what several of them do.

#include "command_world.hpp"
#include "support/command_buffer.hpp"

#include <functional>
#include <string>
#include <vector>

namespace test::command_cases {

using test::Event;
using World = CommandWorld;

inline constexpr size_t n = World::items, half = n / 2, bytes = World::bytes;

struct Case {
  const char* name;
  std::function<void(World&)> enqueue;
  /// What a finding has, of a case that is wrong.
  std::vector<std::string> wanted = {};
};

inline void* map(const World& w, cl_command_queue queue, cl_map_flags flags) {
  cl_int error = 1;
  void* mapped = clEnqueueMapBuffer(queue, w.a, CL_TRUE, flags, 0, bytes, 0, nullptr, nullptr, &error);
  REQUIRE_CL(error);
  return mapped;
}

inline Event unmap(const World& w, cl_command_queue queue, void* mapped) {
  Event event;
  REQUIRE_CL(clEnqueueUnmapMemObject(queue, w.a, mapped, 0, nullptr, event.address()));
  return event;
}

inline void put_into(World& w, cl_command_queue queue, void* memory) {
  const cl_kernel kernel = w.kernel("put");
  const size_t size = n;
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, memory));
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
}

inline int* shared_memory(const World& w) {
  return static_cast<int*>(clSVMAlloc(w.session.context, CL_MEM_READ_WRITE, bytes, 0));
}

/// Half of each of four rows.
inline void write_rect(const World& w, cl_command_queue queue, size_t column) {
  const size_t origin[3] = {column, 0, 0}, host[3] = {0, 0, 0}, region[3] = {32, 4, 1};
  REQUIRE_CL(clEnqueueWriteBufferRect(queue, w.a, CL_FALSE, origin, host, region, 64, 0, 64, 0, w.host.data(),
                                      0, nullptr, nullptr));
}

inline void barrier(cl_command_queue queue, const Waits& waits = {}) {
  REQUIRE_CL(clEnqueueBarrierWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                          waits.empty() ? nullptr : waits.data(), nullptr));
}

inline Event marker(cl_command_queue queue, const Waits& waits = {}) {
  Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                         waits.empty() ? nullptr : waits.data(), event.address()));
  return event;
}

inline void replay(World& w, cl_command_queue queue) {
  const cl_kernel kernel = w.kernel("put");
  set_arguments(kernel, w.a);
  const cb::Buffer commands({queue});
  commands.launch(kernel, n);
  commands.finalize();
  commands.enqueue();
}

} // namespace test::command_cases
