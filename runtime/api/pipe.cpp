// Pipes (OpenCL 3.0 API, 5.4), which the device does not have (CL_DEVICE_PIPE_SUPPORT).

#include "runtime/api/api.hpp"

namespace hostcl::runtime {

Result<cl_mem> create_pipe(cl_context handle, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*) {
  TRY(object_cast<Context>(handle));
  return fail(CL_INVALID_OPERATION, "the device has no pipes (CL_DEVICE_PIPE_SUPPORT)");
}
Status get_pipe_info(cl_mem pipe, cl_pipe_info, size_t, void*, size_t*) {
  TRY(Memory & memory, object_cast<Memory>(pipe));
  return of_other_type(memory, "pipe");
}

} // namespace hostcl::runtime
