#include "icd/dispatch.hpp"
#include "icd/thunk.hpp"
#include "runtime/queries/platform.hpp"

using namespace hostcl;

extern "C" {

HOSTCL_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  return name ? icd::extension_function_address(name) : nullptr;
}

HOSTCL_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                                   size_t size, void* value, size_t* size_ret) {
  // Not through the table: ICD loaders call this function to find the platform, and HOSTCL_FAIL makes only calls of
  // applications fail.
  return icd::thunk<"clGetPlatformInfo", runtime::get_platform_info>(platform, name, size, value, size_ret);
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  return icd::thunk<"clIcdGetPlatformIDsKHR", runtime::get_platform_ids>(entries, platforms, count);
}
}
