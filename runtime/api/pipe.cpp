// Pipes (OpenCL 3.0 API, 5.4). Declared in runtime/api/api.hpp.

#include "runtime/memory/pipe.hpp"
#include "runtime/api/api.hpp"

namespace hostcl::runtime {

Result<cl_mem> create_pipe(cl_context handle, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                           const cl_pipe_properties* properties) {
  TRY(Context & context, usable_context(handle));
  if (!context.most(&Limits::has_pipes))
    return fail(CL_INVALID_OPERATION, "no device of the context has pipes (CL_DEVICE_PIPE_SUPPORT)");
  TRY(validate::pipe(context, flags, packet_bytes, max_packets, properties));
  TRY(Ref<Pipe> pipe, Pipe::create(context, flags, packet_bytes, max_packets));
  return expose(std::move(pipe));
}

Status get_pipe_info(cl_mem handle, cl_pipe_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Pipe & pipe, object_cast<Pipe>(handle));
  return pipe.pipe_info(name, Answer(size, value, size_ret));
}

} // namespace hostcl::runtime
