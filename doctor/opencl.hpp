#pragma once

// Calls functions of an ICD loader that has been loaded by its path.

#include <CL/cl.h>

#include <string>
#include <vector>

#include <dlfcn.h>

namespace hostcl::doctor {

class OpenCL {
public:
  explicit OpenCL(const std::string& loader) : library_(::dlopen(loader.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  template <class Function>
  Function* get(const char* name) const {
    return library_ ? reinterpret_cast<Function*>(::dlsym(library_, name)) : nullptr;
  }

private:
  void* library_;
};

/// The function of this name, with its type: HOSTCL_CL(opencl, clGetPlatformIDs)(...).
#define HOSTCL_CL(opencl, name) (opencl).get<decltype(name)>(#name)

inline std::vector<cl_platform_id> platforms_of(const OpenCL& opencl) {
  cl_uint number = 0;
  if (HOSTCL_CL(opencl, clGetPlatformIDs)(0, nullptr, &number) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> platforms(number);
  HOSTCL_CL(opencl, clGetPlatformIDs)(number, platforms.data(), nullptr);
  return platforms;
}

inline std::vector<cl_device_id> devices_of(const OpenCL& opencl, cl_platform_id platform) {
  cl_uint number = 0;
  if (HOSTCL_CL(opencl, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &number) != CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(number);
  HOSTCL_CL(opencl, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, number, devices.data(), nullptr);
  return devices;
}

/// The answer to a query whose answer is a text.
template <class Query, class Object>
std::string text_of(Query* query, Object object, cl_uint name) {
  std::size_t size = 0;
  if (query(object, name, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  query(object, name, size, text.data(), nullptr);
  text.resize(size - 1);
  return text;
}

} // namespace hostcl::doctor
