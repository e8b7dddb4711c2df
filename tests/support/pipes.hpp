#pragma once

// Pipes, and programs with them.

#include "support/session.hpp"

namespace test {

inline constexpr const char* with_pipes = "-cl-std=CL3.0";

inline Buffer make_pipe(cl_context context, cl_uint packet_bytes, cl_uint max_packets) {
  cl_int error = 1;
  Buffer pipe(clCreatePipe(context, 0, packet_bytes, max_packets, nullptr, &error));
  REQUIRE_CL(error);
  return pipe;
}

/// All that the pipe has, read by one work-item, in order.
template <class T>
std::vector<T> drain(const Session& session, cl_mem pipe, const char* type, size_t most) {
  const std::string source = std::string("kernel void k(read_only pipe ") + type + " p, global " + type +
                             "* out, global uint* count) { " + type +
                             " v; uint n = 0; while (read_pipe(p, &v) == 0) out[n++] = v; *count = n; }";
  const Kernel kernel = session.kernel(source.c_str(), "k", with_pipes);
  const Buffer out = session.buffer((most + 1) * sizeof(T)), count = session.buffer(sizeof(cl_uint));
  REQUIRE_CL(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
  REQUIRE_CL(set_argument(kernel, 1, out));
  REQUIRE_CL(set_argument(kernel, 2, count));
  session.run(kernel, 1);
  const cl_uint packets = session.read<cl_uint>(count, 1)[0];
  REQUIRE(packets <= most);
  return packets ? session.read<T>(out, packets) : std::vector<T>();
}

} // namespace test
