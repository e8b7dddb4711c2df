// clGetPlatformIDs, clGetPlatformInfo (OpenCL 3.0 API, 4.1)

#include "support/session.hpp"

#include <CL/cl_icd.h>

#include <cstring>
#include <sstream>

namespace {

std::string platform_string(cl_platform_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetPlatformInfo(test::platform(), query, 0, nullptr, &bytes));
  std::string text(bytes, '\0');
  REQUIRE_CL(clGetPlatformInfo(test::platform(), query, bytes, text.data(), nullptr));
  REQUIRE_FALSE(text.empty());
  REQUIRE(text.back() == '\0');
  text.pop_back();
  return text;
}

} // namespace

TEST_CASE("clGetPlatformIDs: the platform is listed once", "[platform]") {
  cl_uint count = 0;
  REQUIRE_CL(clGetPlatformIDs(0, nullptr, &count));
  std::vector<cl_platform_id> ids(count);
  REQUIRE_CL(clGetPlatformIDs(count, ids.data(), nullptr));
  CHECK(std::count(ids.begin(), ids.end(), test::platform()) == 1);
}

TEST_CASE("clGetPlatformInfo: every string of the table is there", "[platform]") {
  for (cl_platform_info query : {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME,
                                 CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS, CL_PLATFORM_ICD_SUFFIX_KHR}) {
    CAPTURE(query);
    platform_string(query);
  }
  CHECK(platform_string(CL_PLATFORM_PROFILE) == "FULL_PROFILE");
  CHECK(platform_string(CL_PLATFORM_VERSION) == "OpenCL 3.1 hostcl");
  CHECK(platform_string(CL_PLATFORM_EXTENSIONS).find("cl_khr_icd") != std::string::npos);
}

TEST_CASE("clGetPlatformInfo: the numeric version is that of the version string", "[platform]") {
  cl_version version = 0;
  REQUIRE_CL(
      clGetPlatformInfo(test::platform(), CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, nullptr));
  const std::string text = "OpenCL " + std::to_string(CL_VERSION_MAJOR(version)) + "." +
                           std::to_string(CL_VERSION_MINOR(version)) + " ";
  CHECK(platform_string(CL_PLATFORM_VERSION).substr(0, text.size()) == text);
}

TEST_CASE("clGetPlatformInfo: extensions with versions are those of the extension string", "[platform]") {
  size_t bytes = 0;
  REQUIRE_CL(clGetPlatformInfo(test::platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes));
  REQUIRE(bytes % sizeof(cl_name_version) == 0);
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  REQUIRE_CL(
      clGetPlatformInfo(test::platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, bytes, list.data(), nullptr));
  const std::string names = " " + platform_string(CL_PLATFORM_EXTENSIONS) + " ";
  for (const cl_name_version& extension : list) {
    CAPTURE(extension.name);
    CHECK(names.find(" " + std::string(extension.name) + " ") != std::string::npos);
  }
  CHECK(size_t(std::count(names.begin(), names.end(), ' ')) == list.size() + 1);
}

TEST_CASE("clGetPlatformInfo: the platform's extensions are the device's as well, except four, and fit into "
          "1,024 bytes",
          "[platform]") {
  if (!test::is_hostcl()) return;
  const std::string names = platform_string(CL_PLATFORM_EXTENSIONS);
  CHECK(names.size() < 1024);
  std::istringstream stream(names);
  for (std::string name; stream >> name;) {
    CAPTURE(name);
    const bool is_alone = name == "cl_khr_icd" || name == "cl_khr_terminate_context" ||
                          name == "cl_img_cancel_command" ||
                          name == "cl_img_unified_svm_external_memory_dma_buf";
    CHECK(is_alone != test::has_extension(name));
  }
  CHECK(test::platform_has_extension("cl_khr_terminate_context"));
  CHECK(test::platform_has_extension("cl_img_cancel_command"));
}

TEST_CASE("cl_khr_icd 1.0: the loader finds functions alone in the dispatch table, also where it has its own",
          "[platform]") {
  if (!test::is_hostcl()) return;
  const auto* const dispatch = *reinterpret_cast<const cl_icd_dispatch* const*>(test::platform());
  cl_platform_id listed = nullptr;
  CHECK_CL(dispatch->clGetPlatformIDs(1, &listed, nullptr));
  CHECK(listed == test::platform());
  CHECK_CL(dispatch->clUnloadCompiler());
}

TEST_CASE("clGetPlatformInfo: the host timer has a resolution", "[platform]") {
  cl_ulong nanoseconds = 0;
  REQUIRE_CL(clGetPlatformInfo(test::platform(), CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof nanoseconds,
                               &nanoseconds, nullptr));
  if (test::is_hostcl()) CHECK(nanoseconds > 0);
}

TEST_CASE("clGetPlatformInfo: an unknown query is CL_INVALID_VALUE", "[platform]") {
  char byte;
  CHECK_STATUS(clGetPlatformInfo(test::platform(), 0x1234, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetPlatformInfo: a too small value is CL_INVALID_VALUE", "[platform]") {
  char byte;
  CHECK_STATUS(clGetPlatformInfo(test::platform(), CL_PLATFORM_VERSION, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetPlatformInfo: neither value nor size is fine", "[platform]") {
  CHECK_CL(clGetPlatformInfo(test::platform(), CL_PLATFORM_NAME, 0, nullptr, nullptr));
}

TEST_CASE("clGetExtensionFunctionAddressForPlatform: an unknown name has no address", "[platform]") {
  CHECK(clGetExtensionFunctionAddressForPlatform(test::platform(), "clNoSuchFunctionEXT") == nullptr);
}

TEST_CASE("clUnloadPlatformCompiler: succeeds, and programs still build", "[platform]") {
  CHECK_CL(clUnloadPlatformCompiler(test::platform()));
  test::Session session;
  session.build("kernel void nothing() {}");
}

TEST_CASE("clGetDeviceIDs: each type of a CPU finds the device", "[platform]") {
  for (cl_device_type type : {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_DEFAULT, (int)CL_DEVICE_TYPE_ALL}) {
    cl_uint count = 0;
    cl_device_id id = nullptr;
    CAPTURE(type);
    CHECK_CL(clGetDeviceIDs(test::platform(), cl_uint(type), 1, &id, &count));
    CHECK(count >= 1);
    CHECK(id == test::device());
  }
}

TEST_CASE("clGetDeviceIDs: no GPU is CL_DEVICE_NOT_FOUND", "[platform]") {
  cl_uint count = 7;
  cl_device_id id = nullptr;
  CHECK_STATUS(clGetDeviceIDs(test::platform(), CL_DEVICE_TYPE_GPU, 1, &id, &count), CL_DEVICE_NOT_FOUND);
}

TEST_CASE("clGetDeviceIDs: type 0 is CL_INVALID_DEVICE_TYPE", "[platform]") {
  cl_device_id id = nullptr;
  CHECK_STATUS(clGetDeviceIDs(test::platform(), 0, 1, &id, nullptr), CL_INVALID_DEVICE_TYPE);
}

TEST_CASE("clGetDeviceIDs: room for 0 devices is CL_INVALID_VALUE", "[platform]") {
  cl_device_id id = nullptr;
  CHECK_STATUS(clGetDeviceIDs(test::platform(), CL_DEVICE_TYPE_ALL, 0, &id, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetDeviceIDs: neither list nor count is CL_INVALID_VALUE", "[platform]") {
  CHECK_STATUS(clGetDeviceIDs(test::platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr), CL_INVALID_VALUE);
}
