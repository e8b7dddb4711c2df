#pragma once

// Pipes.

#include "compiler/abi/pipe.hpp"
#include "runtime/memory/memory.hpp"

namespace hostcl::runtime {

/// A queue of packets between kernels. Its data begin with the abi::Pipe that kernels see; the host has no
/// access.
class Pipe final : public Memory {
public:
  /// clCreatePipe. The arguments have been checked by validate::pipe.
  static Result<Ref<Pipe>> create(Context& context, cl_mem_flags flags, cl_uint packet_bytes,
                                  cl_uint max_packets);

  Pipe(Context& context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets);
  ~Pipe();

  Status pipe_info(cl_pipe_info name, Answer answer) const;

private:
  cl_uint packet_bytes() const { return packet_bytes_; }
  cl_uint max_packets() const { return max_packets_; }

  cl_uint packet_bytes_, max_packets_;
};

/// Refuses buffers and images.
template <>
inline Result<Pipe&> object_cast<Pipe>(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (memory.type() != CL_MEM_OBJECT_PIPE) return of_other_type(memory, "pipe");
  return static_cast<Pipe&>(memory);
}

namespace validate {

/// Arguments of clCreatePipe, in the order of the specification's errors.
Status pipe(cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
            const cl_pipe_properties* properties);

} // namespace validate

} // namespace hostcl::runtime
