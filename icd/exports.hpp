#pragma once

// The functions that libhostcl.so exports for ICD loaders. clGetExtensionFunctionAddress and
// clGetPlatformInfo are declared in CL/cl.h.

#include "runtime/support/cl.hpp"

#define HOSTCL_EXPORT __attribute__((visibility("default")))

extern "C" {
HOSTCL_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id* platforms,
                                                        cl_uint* count);
}
