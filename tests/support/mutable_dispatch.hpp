#pragma once

// A command buffer with launches that can be changed (cl_khr_command_buffer_mutable_dispatch)

#include "support/command_buffer.hpp"
#include "support/images.hpp"

#include <thread>

namespace cb = test::cb;

namespace test::mutable_dispatch {

inline constexpr size_t items = 64;
inline constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

inline constexpr const char* source = R"(
  kernel void add(global uint* p, uint x) { p[get_global_id(0)] += x; }
  kernel void sizes(global uint* p) {
    if (get_global_id(0) == get_global_offset(0)) {
      p[0] = get_global_offset(0); p[1] = get_global_size(0); p[2] = get_local_size(0); p[3] = get_num_groups(0);
    }
  }
  kernel void local_bytes(local uchar* a, local uchar* b, global uint* p) {
    a[get_local_id(0)] = 1; b[get_local_id(0)] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = (uint)(b - a);
  }
  kernel void image(read_only image2d_t i, sampler_t s, global uint* p) {
    *p = read_imageui(i, s, (int2)(-1, 0)).x;
  })";

struct World {
  explicit World(std::vector<cb::Property> properties = {cb::flags, cb::mutable_commands},
                 cl_command_queue_properties queue = 0)
      : session(queue), buffer({session.queue}, std::move(properties)) {}
  test::Session session;
  test::Program program = session.build(source);
  test::Kernel add = session.kernel(program, "add"), sizes = session.kernel(program, "sizes");
  test::Buffer first = zeros(), second = zeros();
  cb::Buffer buffer;

  test::Buffer zeros() const { return session.buffer(std::vector<cl_uint>(items)); }
  std::vector<cl_uint> run(cl_mem memory, size_t count = items) const {
    buffer.enqueue();
    REQUIRE_CL(clFinish(session.queue));
    return session.read<cl_uint>(memory, count);
  }
  cl_uint first_number(cl_mem memory) const { return session.read<cl_uint>(memory, 1)[0]; }
};

inline std::vector<cl_uint> all(cl_uint value) {
  return std::vector<cl_uint>(items, value);
}

inline cb::Argument argument(cl_uint index, const cl_uint& value) {
  return {index, sizeof value, &value};
}
inline cb::Argument argument(cl_uint index, const cl_mem& memory) {
  return {index, sizeof memory, &memory};
}
/// The list has to live as long as the result.
inline cb::Config with_arguments(cb::Command command, const std::vector<cb::Argument>& list) {
  cb::Config config;
  config.command = command;
  config.argument_count = cl_uint(list.size());
  config.arguments = list.data();
  return config;
}

template <class T>
std::vector<T> command_info(cb::Command command, cl_uint name) {
  size_t size = 0;
  REQUIRE_CL(cb::functions().command_info(command, name, 0, nullptr, &size));
  std::vector<T> values(size / sizeof(T));
  REQUIRE_CL(cb::functions().command_info(command, name, size, values.data(), nullptr));
  return values;
}

} // namespace test::mutable_dispatch
