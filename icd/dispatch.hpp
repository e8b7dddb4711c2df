#pragma once

#include "icd/exports.hpp"
#include "runtime/support/cl.hpp"

#include <string_view>

namespace hostcl::icd {

using SuggestLocalWorkSize = cl_int CL_API_CALL(cl_command_queue, cl_kernel, cl_uint, const size_t*,
                                                const size_t*, size_t*);

/// The dispatch table of the OpenCL headers, followed by the slots that newer headers append. An ICD loader that was
/// compiled with newer headers reads these slots.
struct Dispatch {
  cl_icd_dispatch table;
#ifndef CL_VERSION_3_1
  SuggestLocalWorkSize* clGetKernelSuggestedLocalWorkSize;
#endif
};

/// The table of all entry points, to which every object's dispatch pointer points. libhostcl_opencl.so jumps through this
/// table. With HOSTCL_FAIL, the functions of failing.hpp replace those of the table when the driver is loaded. If all
/// devices are described as devices of an older version, the platform removes newer functions (limit_dispatch_table())
/// when it is made. Later the table does not change.
extern HOSTCL_EXPORT Dispatch dispatch asm("hostcl_dispatch");

/// Address of an extension's function, as clGetExtensionFunctionAddress returns it; null for other names.
void* extension_function_address(std::string_view name);

} // namespace hostcl::icd
