#pragma once

// Part of the API beside api.hpp: the functions of cl_intel_global_variable_access.

#include "runtime/support/result.hpp"

namespace hostcl::runtime {

Status enqueue_read_global_variable(cl_command_queue queue_handle, cl_program program_handle,
                                    const char* name, cl_bool blocking, size_t size, size_t offset, void* ptr,
                                    cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_write_global_variable(cl_command_queue queue_handle, cl_program program_handle,
                                     const char* name, cl_bool blocking, size_t size, size_t offset,
                                     const void* ptr, cl_uint count, const cl_event* waits, cl_event* event);

} // namespace hostcl::runtime
