#include "icd/dispatch.hpp"
#include "icd/thunk.hpp"
#include "runtime/object/device.hpp"
#include "runtime/queries/platform.hpp"

using namespace hostcl;

extern "C" {

HOSTCL_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  return name ? icd::extension_function_address(name) : nullptr;
}

HOSTCL_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                                   size_t size, void* value, size_t* size_ret) {
  return icd::dispatch.table.clGetPlatformInfo(platform, name, size, value, size_ret);
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  return icd::thunk<"clIcdGetPlatformIDsKHR", runtime::get_platform_ids>(entries, platforms, count);
}

void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* name) {
  if (!name || !runtime::object_cast<runtime::Platform>(platform).ok()) return nullptr;
  return icd::function_address(name);
}

cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id handle, void* data) {
  auto platform = runtime::object_cast<runtime::Platform>(handle);
  if (!platform.ok()) return CL_INVALID_PLATFORM;
  runtime::Platform& object = std::move(platform).value();
  runtime::loader_data.dispatch_data.store(data, std::memory_order_relaxed);
  object.set_dispatch_data(data);
  object.device().set_dispatch_data(data);
  return CL_SUCCESS;
}
}
