// A driver with one device, a GPU, which ocl-icd puts in front of CPUs.

#include <CL/cl_icd.h>

#include <cstring>

namespace {

struct Object {
  const cl_icd_dispatch* dispatch;
};

extern cl_icd_dispatch table;
Object platform{&table}, device{&table};

cl_int answer(const void* from, std::size_t bytes, std::size_t size, void* value, std::size_t* size_ret) {
  if (size_ret) *size_ret = bytes;
  if (value && size < bytes) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, from, bytes);
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_ids(cl_platform_id, cl_device_type type, cl_uint, cl_device_id* devices,
                              cl_uint* number) {
  if (!(type & CL_DEVICE_TYPE_GPU)) return CL_DEVICE_NOT_FOUND;
  if (devices) *devices = reinterpret_cast<cl_device_id>(&device);
  if (number) *number = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id, cl_device_info name, std::size_t size, void* value,
                               std::size_t* size_ret) {
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  const cl_uint one = 1;
  if (name == CL_DEVICE_TYPE) return answer(&type, sizeof type, size, value, size_ret);
  if (name == CL_DEVICE_MAX_COMPUTE_UNITS) return answer(&one, sizeof one, size, value, size_ret);
  return answer("1", 2, size, value, size_ret);
}

cl_icd_dispatch make_table();
cl_icd_dispatch table = make_table();

} // namespace

extern "C" {

cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info name, size_t size, void* value, size_t* size_ret) {
  const char* text = name == CL_PLATFORM_EXTENSIONS ? "cl_khr_icd"
                     : name == CL_PLATFORM_VERSION  ? "OpenCL 3.0 first"
                                                    : "first";
  return answer(text, std::strlen(text) + 1, size, value, size_ret);
}

cl_int clIcdGetPlatformIDsKHR(cl_uint, cl_platform_id* platforms, cl_uint* number) {
  if (platforms) *platforms = reinterpret_cast<cl_platform_id>(&platform);
  if (number) *number = 1;
  return CL_SUCCESS;
}

void* clGetExtensionFunctionAddress(const char* name) {
  return std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? reinterpret_cast<void*>(clIcdGetPlatformIDsKHR)
                                                          : nullptr;
}
}

namespace {

cl_icd_dispatch make_table() {
  cl_icd_dispatch made{};
  made.clGetPlatformInfo = clGetPlatformInfo;
  made.clGetDeviceIDs = device_ids;
  made.clGetDeviceInfo = device_info;
  return made;
}

} // namespace
