#pragma once

// Pipes.

#include "compiler/abi/pipe.hpp"
#include "runtime/memory/memory.hpp"

namespace hostcl::runtime {

/// A pipe: a queue of packets between kernels. Its memory begins with the abi::Pipe that kernels see. The
/// host has no access to it.
class Pipe final : public Memory {
public:
  /// clCreatePipe(). validate::pipe() must have accepted the arguments.
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

/// Accepts pipes only, not buffers and images.
template <>
inline Result<Pipe&> object_cast<Pipe>(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (memory.type() != CL_MEM_OBJECT_PIPE) return of_other_type(memory, "pipe");
  return static_cast<Pipe&>(memory);
}

namespace validate {

/// Checks the arguments of clCreatePipe(), in the order in which the specification lists the errors.
Status pipe(const Context& context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
            const cl_pipe_properties* properties);

} // namespace validate

} // namespace hostcl::runtime
