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

TEST_CASE("clCreateSubDevices: a part has the compute units that are named", "[sub_device]") {
  if (!partitions()) return;
  constexpr cl_device_partition_property by_names = CL_DEVICE_PARTITION_BY_NAMES_INTEL, end = -1;
  const auto last = static_cast<cl_device_partition_property>(units() - 1);
  std::vector<cl_device_id> parts;
  REQUIRE_CL(create({by_names, last, 0, end, 0}, &parts));
  REQUIRE(parts.size() == 1);
  cl_uint count = 0;
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof count, &count, nullptr));
  CHECK(count == 2);
  std::size_t bytes = 0;
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, 0, nullptr, &bytes));
  std::vector<cl_device_partition_property> type(bytes / sizeof(cl_device_partition_property));
  CHECK_CL(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, bytes, type.data(), nullptr));
  CHECK(type == std::vector<cl_device_partition_property>{by_names, last, 0, end, 0});
  CHECK_CL(clReleaseDevice(parts[0]));
  CHECK_STATUS(create({by_names, end, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({by_names, last + 1, end, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({by_names, -2, end, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({by_names, 0, 0, end, 0}), CL_INVALID_VALUE);
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

TEST_CASE("clCreateSubDevices: two partitions in one list are CL_INVALID_VALUE", "[sub_device]") {
  if (!partitions()) return;
  CHECK_STATUS(create({CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0}), CL_INVALID_VALUE);
}

namespace {

/// Two sub-devices with a context, and a queue for each.
struct Halves {
  test::Device devices[2];
  test::Context context;
  test::Queue queues[2];
  Halves() {
    const auto half = cl_device_partition_property(units() / 2);
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, half, half, 0, 0};
    cl_device_id ids[2] = {};
    REQUIRE_CL(clCreateSubDevices(test::device(), counts, 2, ids, nullptr));
    cl_int error = 1;
    context.reset(clCreateContext(nullptr, 2, ids, nullptr, nullptr, &error));
    REQUIRE_CL(error);
    for (int i = 0; i < 2; ++i) {
      devices[i].reset(ids[i]);
      queues[i] = {test::Queue(clCreateCommandQueueWithProperties(context, ids[i], nullptr, &error))};
      REQUIRE_CL(error);
    }
  }
  test::Program source(const char* text) const {
    return test::Program(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
  }
  cl_int build(cl_program program, int device, const char* options) const {
    const cl_device_id id = devices[device];
    return clBuildProgram(program, 1, &id, options, nullptr, nullptr);
  }
  /// What the program's kernel "k" stores when it runs on each device.
  std::vector<int> stored(cl_program program) const {
    cl_int error = 1;
    const test::Kernel kernel(clCreateKernel(program, "k", &error));
    REQUIRE_CL(error);
    const test::Buffer buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, &error));
    test::set_arguments(kernel, buffer);
    std::vector<int> values;
    for (const auto& queue : queues) {
      REQUIRE_CL(clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
      REQUIRE_CL(
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &values.emplace_back(), 0, nullptr, nullptr));
    }
    return values;
  }
};

} // namespace

TEST_CASE("A kernel whose program was built for another device is CL_INVALID_PROGRAM_EXECUTABLE",
          "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto program = halves.source("kernel void k() {}");
  REQUIRE_CL(halves.build(program, 0, ""));
  cl_int error = 1;
  const test::Kernel kernel(clCreateKernel(program, "k", &error));
  REQUIRE_CL(error);
  const size_t one = 1;
  CHECK_CL(clEnqueueNDRangeKernel(halves.queues[0], kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CHECK_STATUS(
      clEnqueueNDRangeKernel(halves.queues[1], kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
      CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK_STATUS(clEnqueueTask(halves.queues[1], kernel, 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  size_t local = 0;
  if (const auto suggest =
          test::extension_function<test::SuggestLocalSize>("clGetKernelSuggestedLocalWorkSizeKHR"))
    CHECK_STATUS(suggest(halves.queues[1], kernel, 1, nullptr, &one, &local), CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK_CL(clFinish(halves.queues[0]));
}

TEST_CASE("A program built with other options for each device runs as built", "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto program = halves.source("kernel void k(global int* v) { *v = N; }");
  REQUIRE_CL(halves.build(program, 0, "-DN=100"));
  REQUIRE_CL(halves.build(program, 1, "-DN=200"));
  CHECK(halves.stored(program) == std::vector{100, 200});
}

TEST_CASE("clLinkProgram: each device gets what was compiled for it", "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto object = halves.source("kernel void k(global int* v) { *v = N; }");
  const char* const options[] = {"-DN=100", "-DN=200"};
  for (int i = 0; i < 2; ++i) {
    const cl_device_id id = halves.devices[i];
    REQUIRE_CL(clCompileProgram(object, 1, &id, options[i], 0, nullptr, nullptr, nullptr, nullptr));
  }
  const cl_program input = object;
  cl_int error = 1;
  const test::Program linked(
      clLinkProgram(halves.context, 0, nullptr, nullptr, 1, &input, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  CHECK(halves.stored(linked) == std::vector{100, 200});
}

TEST_CASE("clBuildProgram: each device gets the program of its own binary", "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto source = halves.source("kernel void k(global int* v) { *v = N; }");
  REQUIRE_CL(halves.build(source, 0, "-DN=100"));
  REQUIRE_CL(halves.build(source, 1, "-DN=200"));
  size_t sizes[2] = {};
  REQUIRE_CL(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr));
  std::vector<unsigned char> first(sizes[0]), second(sizes[1]);
  unsigned char* binaries[] = {first.data(), second.data()};
  REQUIRE_CL(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof binaries, binaries, nullptr));
  const unsigned char* copies[] = {first.data(), second.data()};
  const cl_device_id ids[] = {halves.devices[0], halves.devices[1]};
  cl_int error = 1;
  const test::Program program(
      clCreateProgramWithBinary(halves.context, 2, ids, sizes, copies, nullptr, &error));
  REQUIRE_CL(error);
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  CHECK(halves.stored(program) == std::vector{100, 200});
}

TEST_CASE("clCreateKernel: a kernel that is not the same for all devices is CL_INVALID_KERNEL_DEFINITION",
          "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto program = halves.source("kernel void same(int a) {}\n"
                                     "kernel void other(T a) {}\n"
                                     "#ifdef ONE\nkernel void one(int a) {}\n#endif");
  REQUIRE_CL(halves.build(program, 0, "-DT=int"));
  REQUIRE_CL(halves.build(program, 1, "-DT=float -DONE"));
  for (const char* name : {"other", "one"}) {
    cl_int error = 1;
    CHECK(clCreateKernel(program, name, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_KERNEL_DEFINITION);
  }
  cl_uint count = 0;
  CHECK_CL(clCreateKernelsInProgram(program, 0, nullptr, &count));
  CHECK(count == 1);
}

TEST_CASE("A device that is not of the context is CL_INVALID_DEVICE", "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const test::Session session;
  const cl_device_id other = halves.devices[0];
  const auto program = session.build("kernel void k() {}");
  const auto kernel = session.kernel(program, "k");
  cl_int error = 1;
  CHECK(clCreateCommandQueue(session.context, other, 0, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK(clCreateCommandQueueWithProperties(session.context, other, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(session.context, other, session.queue), CL_INVALID_DEVICE);
  CHECK_STATUS(clBuildProgram(program, 1, &other, "", nullptr, nullptr), CL_INVALID_DEVICE);
  CHECK_STATUS(clGetProgramBuildInfo(program, other, CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
  CHECK_STATUS(clGetKernelWorkGroupInfo(kernel, other, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
  CHECK_STATUS(
      clGetKernelSubGroupInfo(kernel, other, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, nullptr),
      CL_INVALID_DEVICE);
}

TEST_CASE("Queries of a kernel with two devices need to know which", "[sub_device]") {
  if (!partitions()) return;
  const Halves halves;
  const auto program = halves.source("kernel void k() {}");
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const test::Kernel kernel(clCreateKernel(program, "k", nullptr));
  CHECK_STATUS(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
  CHECK_STATUS(
      clGetKernelSubGroupInfo(kernel, nullptr, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, nullptr),
      CL_INVALID_DEVICE);
}
