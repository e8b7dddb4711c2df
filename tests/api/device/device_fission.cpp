// cl_ext_device_fission: clCreateSubDevicesEXT, clRetainDeviceEXT, clReleaseDeviceEXT and their queries

#include "support/session.hpp"

#include <algorithm>

namespace {

// Types and numbers of the extension, as any header has them.
using Property = cl_ulong;
constexpr Property equally = 0x4050, by_counts = 0x4051, by_names = 0x4052, by_affinity = 0x4053;
constexpr Property next_fissionable = 0x100;
constexpr cl_device_info parent_device = 0x4054, partition_types = 0x4055, affinity_domains = 0x4056,
                         reference_count = 0x4057, partition_style = 0x4058;
constexpr cl_int partition_failed = -1057, invalid_count = -1058;

struct Functions {
  using Create = cl_int(CL_API_CALL*)(cl_device_id, const Property*, cl_uint, cl_device_id*, cl_uint*);
  using Count = cl_int(CL_API_CALL*)(cl_device_id);
  Create create = test::extension_function<Create>("clCreateSubDevicesEXT");
  Count retain = test::extension_function<Count>("clRetainDeviceEXT");
  Count release = test::extension_function<Count>("clReleaseDeviceEXT");
};

bool can_split() {
  return test::has_extension("cl_ext_device_fission") &&
         test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) > 1;
}

template <class T>
std::vector<T> list(cl_device_id device, cl_device_info name) {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(device, name, 0, nullptr, &bytes));
  std::vector<T> values(bytes / sizeof(T));
  if (bytes) REQUIRE_CL(clGetDeviceInfo(device, name, bytes, values.data(), nullptr));
  return values;
}

std::vector<cl_device_id> parts(std::vector<Property> properties) {
  const Functions f;
  cl_uint count = 0;
  REQUIRE_CL(f.create(test::device(), properties.data(), 0, nullptr, &count));
  std::vector<cl_device_id> devices(count);
  REQUIRE_CL(f.create(test::device(), properties.data(), count, devices.data(), nullptr));
  return devices;
}

} // namespace

TEST_CASE("clCreateSubDevicesEXT: equal parts, with their parent and counts", "[device_fission]") {
  if (!can_split()) return;
  const Functions f;
  const auto devices = parts({equally, 1, 0});
  CHECK(devices.size() == test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  CHECK(list<cl_device_id>(devices[0], parent_device) == std::vector{test::device()});
  CHECK(list<Property>(devices[0], partition_style) == std::vector<Property>{equally, 1, 0});
  CHECK_CL(f.retain(devices[0]));
  CHECK(list<cl_uint>(devices[0], reference_count) == std::vector<cl_uint>{2});
  CHECK_CL(f.release(devices[0]));
  for (cl_device_id device : devices)
    CHECK_CL(f.release(device));
}

TEST_CASE("clCreateSubDevicesEXT: parts by counts", "[device_fission]") {
  if (!can_split()) return;
  const Functions f;
  const auto devices = parts({by_counts, 1, 1, 0, 0});
  CHECK(devices.size() == 2);
  CHECK(list<Property>(devices[0], partition_style) == std::vector<Property>{by_counts, 1, 1, 0, 0});
  for (cl_device_id device : devices)
    CHECK_CL(f.release(device));
}

TEST_CASE("clCreateSubDevicesEXT: parts by each affinity domain that the device names", "[device_fission]") {
  if (!can_split()) return;
  const Functions f;
  const auto types = list<Property>(test::device(), partition_types);
  const auto domains = list<Property>(test::device(), affinity_domains);
  CHECK(std::count(types.begin(), types.end(), equally) == 1);
  CHECK(std::count(types.begin(), types.end(), by_counts) == 1);
  CHECK(std::count(types.begin(), types.end(), by_affinity) == (domains.empty() ? 0 : 1));
  for (Property domain : domains) {
    const auto devices = parts({by_affinity, domain, 0});
    CHECK(devices.size() > 1);
    const auto style = list<Property>(devices[0], partition_style);
    REQUIRE(style.size() == 3);
    CHECK((style[1] == domain || domain == next_fissionable));
    for (cl_device_id device : devices)
      CHECK_CL(f.release(device));
  }
}

TEST_CASE("clCreateSubDevicesEXT: errors have the extension's numbers", "[device_fission]") {
  if (!can_split()) return;
  const Functions f;
  const Property units = test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  const auto error = [&](std::vector<Property> properties) {
    cl_uint count = 0;
    return f.create(test::device(), properties.data(), 0, nullptr, &count);
  };
  CHECK_STATUS(error({by_counts, units, 1, 0, 0}), invalid_count);
  CHECK_STATUS(error({equally, units, 0}), partition_failed);
  CHECK_STATUS(error({by_names, 0, ~Property{0}, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(error({by_affinity, 0x77, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(error({0x7777, 0}), CL_INVALID_VALUE);
  const Property one[] = {equally, 1, 0};
  cl_device_id device = nullptr;
  CHECK_STATUS(f.create(nullptr, one, 0, nullptr, nullptr), CL_INVALID_DEVICE);
  CHECK_STATUS(f.create(test::device(), nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(f.create(test::device(), one, 0, &device, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(f.release(nullptr), CL_INVALID_DEVICE);
}
