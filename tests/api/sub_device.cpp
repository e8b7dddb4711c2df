// clCreateSubDevices (OpenCL 3.0 API, 4.4)

#include "support/session.hpp"

namespace {

cl_uint units() {
  return test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
}

bool partitions() {
  return test::device_value<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) > 1 && units() > 1;
}

cl_int create(std::vector<cl_device_partition_property> properties,
              std::vector<cl_device_id>* devices = nullptr) {
  cl_uint count = 0;
  const cl_int error = clCreateSubDevices(test::device(), properties.data(), 0, nullptr, &count);
  if (error != CL_SUCCESS || !devices) return error;
  devices->resize(count);
  return clCreateSubDevices(test::device(), properties.data(), count, devices->data(), nullptr);
}

} // namespace

TEST_CASE("clCreateSubDevices: equal parts of one unit cover the device", "[sub_device]") {
  if (!partitions()) return;
  std::vector<cl_device_id> parts;
  REQUIRE_CL(create({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, &parts));
  CHECK(parts.size() == units());
  for (cl_device_id part : parts) {
    cl_uint count = 0;
    cl_device_id parent = nullptr;
    CHECK_CL(clGetDeviceInfo(part, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof count, &count, nullptr));
    CHECK_CL(clGetDeviceInfo(part, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, nullptr));
    CHECK(count == 1);
    CHECK(parent == test::device());
    CHECK_CL(clReleaseDevice(part));
  }
}

TEST_CASE("clCreateSubDevices: a kernel runs on a sub-device", "[sub_device]") {
  if (!partitions()) return;
  std::vector<cl_device_id> parts;
  REQUIRE_CL(create({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, &parts));
  cl_int error = CL_SUCCESS;
  {
    test::Context context(
        clCreateContext(nullptr, cl_uint(parts.size()), parts.data(), nullptr, nullptr, &error));
    REQUIRE_CL(error);
    const char* text = "kernel void index(global int* out) { out[get_global_id(0)] = get_global_id(0); }";
    test::Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    test::Kernel kernel(clCreateKernel(program, "index", &error));
    REQUIRE_CL(error);
    for (cl_device_id part : parts) {
      test::Queue queue(clCreateCommandQueueWithProperties(context, part, nullptr, &error));
      REQUIRE_CL(error);
      test::Buffer out(clCreateBuffer(context, CL_MEM_READ_WRITE, 400, nullptr, &error));
      test::set_arguments(kernel, out);
      const size_t size = 100;
      std::vector<cl_int> values(100, -1);
      REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 400, values.data(), 0, nullptr, nullptr));
      for (int i = 0; i < 100; ++i)
        REQUIRE(values[i] == i);
    }
  }
  for (cl_device_id part : parts)
    CHECK_CL(clReleaseDevice(part));
}

TEST_CASE("clCreateSubDevices: parts by counts have these counts", "[sub_device]") {
  if (!partitions()) return;
  std::vector<cl_device_id> parts;
  REQUIRE_CL(
      create({CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}, &parts));
  CHECK(parts.size() == 2);
  for (cl_device_id part : parts)
    CHECK_CL(clReleaseDevice(part));
}

TEST_CASE("clCreateSubDevices: an unknown partition is CL_INVALID_VALUE", "[sub_device]") {
  CHECK_STATUS(create({0x7777, 1, 0}), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubDevices: no properties are CL_INVALID_VALUE", "[sub_device]") {
  cl_uint count = 0;
  CHECK_STATUS(clCreateSubDevices(test::device(), nullptr, 0, nullptr, &count), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubDevices: too little room is CL_INVALID_VALUE", "[sub_device]") {
  if (!partitions()) return;
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id one = nullptr;
  CHECK_STATUS(clCreateSubDevices(test::device(), properties, 1, &one, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubDevices: equal parts larger than the device are refused", "[sub_device]") {
  if (!partitions()) return;
  const cl_int error = create({CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(units() + 1), 0});
  // Revisions of the specification differ in which error it is.
  CHECK((error == CL_INVALID_DEVICE_PARTITION_COUNT || error == CL_DEVICE_PARTITION_FAILED ||
         error == CL_INVALID_VALUE));
}

TEST_CASE("clCreateSubDevices: more units than there are is CL_INVALID_DEVICE_PARTITION_COUNT",
          "[sub_device]") {
  if (!partitions()) return;
  CHECK_STATUS(create({CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(units()), 1,
                       CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}),
               CL_INVALID_DEVICE_PARTITION_COUNT);
}

TEST_CASE("clCreateSubDevices: the partition queries of a part tell how it was made", "[sub_device]") {
  if (!partitions()) return;
  std::vector<cl_device_id> parts;
  REQUIRE_CL(create({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, &parts));
  cl_device_partition_property type[8] = {};
  size_t bytes = 0;
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, sizeof type, type, &bytes));
  CHECK(bytes == 3 * sizeof type[0]);
  CHECK(type[0] == CL_DEVICE_PARTITION_EQUALLY);
  CHECK(type[1] == 1);
  cl_uint count = 0;
  CHECK_CL(clRetainDevice(parts[0]));
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_REFERENCE_COUNT, sizeof count, &count, nullptr));
  CHECK(count == 2);
  CHECK_CL(clReleaseDevice(parts[0]));
  for (cl_device_id part : parts)
    CHECK_CL(clReleaseDevice(part));
}

TEST_CASE("clCreateSubDevices: parts by affinity domain cover the device", "[sub_device]") {
  const auto domains = test::device_value<cl_device_affinity_domain>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (cl_device_affinity_domain bit = 1; bit <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; bit <<= 1) {
    if (!(domains & bit)) continue;
    CAPTURE(bit);
    std::vector<cl_device_id> parts;
    REQUIRE_CL(
        create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, cl_device_partition_property(bit), 0}, &parts));
    CHECK(parts.size() > 1);
    cl_uint total = 0;
    for (cl_device_id part : parts) {
      cl_uint count = 0;
      cl_device_partition_property type[3] = {};
      CHECK_CL(clGetDeviceInfo(part, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof count, &count, nullptr));
      CHECK_CL(clGetDeviceInfo(part, CL_DEVICE_PARTITION_TYPE, sizeof type, type, nullptr));
      CHECK(type[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
      // The domain that it was, where any was asked for.
      CHECK((bit == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
                 ? (domains & cl_device_affinity_domain(type[1])) != 0
                 : cl_device_affinity_domain(type[1]) == bit));
      total += count;
      CHECK_CL(clReleaseDevice(part));
    }
    CHECK(total == units());
  }
}

TEST_CASE("clCreateSubDevices: an affinity domain that does not split the device is refused",
          "[sub_device]") {
  const auto domains = test::device_value<cl_device_affinity_domain>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (cl_device_affinity_domain bit = 1; bit <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; bit <<= 1) {
    if (domains & bit) continue;
    CAPTURE(bit);
    const cl_int error =
        create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, cl_device_partition_property(bit), 0});
    // There is no such level, or there is and all compute units share it.
    CHECK((error == CL_INVALID_VALUE || error == CL_DEVICE_PARTITION_FAILED));
  }
  CHECK_STATUS(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 10, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 3, 0}), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubDevices: a part of one unit cannot be split", "[sub_device]") {
  if (!partitions()) return;
  std::vector<cl_device_id> parts;
  REQUIRE_CL(create({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, &parts));
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const cl_device_partition_property next[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                               CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  cl_uint count = 0;
  CHECK_STATUS(clCreateSubDevices(parts[0], equally, 0, nullptr, &count), CL_DEVICE_PARTITION_FAILED);
  CHECK_STATUS(clCreateSubDevices(parts[0], next, 0, nullptr, &count), CL_DEVICE_PARTITION_FAILED);
  cl_device_affinity_domain domains = 1;
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, nullptr));
  CHECK(domains == 0);
  for (cl_device_id part : parts)
    CHECK_CL(clReleaseDevice(part));
}

TEST_CASE("clCreateSubDevices: garbage is CL_INVALID_DEVICE", "[sub_device]") {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  CHECK_STATUS(clRetainDevice(nullptr), CL_INVALID_DEVICE);
  CHECK_STATUS(clReleaseDevice(nullptr), CL_INVALID_DEVICE);
  CHECK_STATUS(clCreateSubDevices(nullptr, equally, 0, nullptr, &count), CL_INVALID_DEVICE);
}
