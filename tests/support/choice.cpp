#include "support/choice.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace test {

const char* wanted_platform() {
  const char* chosen = std::getenv("HOSTCL_TEST_PLATFORM");
  return chosen && *chosen ? chosen : "hostcl";
}

cl_platform_id find_platform() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char name[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (strcasestr(name, wanted_platform())) return platform;
  }
  return nullptr;
}

cl_device_id chosen_device() {
  cl_device_id device = nullptr;
  cl_platform_id platform = find_platform();
  if (platform && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
    return device;
  std::fprintf(stderr, "failed: no such platform, or it has no device\n");
  std::_Exit(1);
}

bool has_guests() {
  const char* place = std::getenv("HOSTCL_GUEST");
  return place && !std::strcmp(place, "process");
}

} // namespace test
