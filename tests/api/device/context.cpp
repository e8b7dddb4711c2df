// Contexts (OpenCL 3.0 API, 4.5)

#include "support/session.hpp"

namespace {

cl_context_properties platform_property() {
  return reinterpret_cast<cl_context_properties>(test::platform());
}

cl_int create(std::vector<cl_context_properties> properties, cl_uint count, const cl_device_id* devices,
              void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*) = nullptr,
              void* data = nullptr) {
  cl_int error = 1;
  test::Context context(clCreateContext(properties.empty() ? nullptr : properties.data(), count, devices,
                                        notify, data, &error));
  CHECK(bool(context) == (error == CL_SUCCESS));
  return error;
}

void CL_CALLBACK ignore(const char*, const void*, size_t, void*) {}

} // namespace

TEST_CASE("clCreateContext: needs no properties", "[context]") {
  const cl_device_id id = test::device();
  CHECK_CL(create({}, 1, &id));
  CHECK_CL(create({0}, 1, &id));
}

TEST_CASE("clCreateContext: takes a platform and user sync", "[context]") {
  const cl_device_id id = test::device();
  CHECK_CL(
      create({CL_CONTEXT_PLATFORM, platform_property(), CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0}, 1, &id));
}

TEST_CASE("clCreateContext: takes a callback with data", "[context]") {
  const cl_device_id id = test::device();
  int data = 0;
  CHECK_CL(create({}, 1, &id, ignore, &data));
}

TEST_CASE("clCreateContext: an unknown property is CL_INVALID_PROPERTY", "[context]") {
  const cl_device_id id = test::device();
  CHECK_STATUS(create({CL_CONTEXT_PLATFORM, platform_property(), 0x7777, 1, 0}, 1, &id), CL_INVALID_PROPERTY);
}

TEST_CASE("clCreateContext: a property given twice is CL_INVALID_PROPERTY", "[context]") {
  const cl_device_id id = test::device();
  CHECK_STATUS(
      create({CL_CONTEXT_PLATFORM, platform_property(), CL_CONTEXT_PLATFORM, platform_property(), 0}, 1, &id),
      CL_INVALID_PROPERTY);
}

TEST_CASE("clCreateContext: a wrong value of a property is CL_INVALID_PROPERTY", "[context]") {
  const cl_device_id id = test::device();
  CHECK_STATUS(create({CL_CONTEXT_INTEROP_USER_SYNC, 77, 0}, 1, &id), CL_INVALID_PROPERTY);
}

TEST_CASE("clCreateContext: no devices are CL_INVALID_VALUE", "[context]") {
  const cl_device_id id = test::device();
  CHECK_STATUS(create({CL_CONTEXT_PLATFORM, platform_property(), 0}, 1, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_CONTEXT_PLATFORM, platform_property(), 0}, 0, &id), CL_INVALID_VALUE);
}

TEST_CASE("clCreateContext: data without a callback are CL_INVALID_VALUE", "[context]") {
  const cl_device_id id = test::device();
  int data = 0;
  CHECK_STATUS(create({}, 1, &id, nullptr, &data), CL_INVALID_VALUE);
}

TEST_CASE("clCreateContext: the same device twice counts once", "[context]") {
  const cl_device_id ids[] = {test::device(), test::device()};
  cl_int error = 0;
  test::Context context(clCreateContext(nullptr, 2, ids, nullptr, nullptr, &error));
  REQUIRE_CL(error);
}

TEST_CASE("clCreateContextFromType: the CPU type gives a context", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(), 0};
  cl_int error = 1;
  test::Context context(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &error));
  CHECK_CL(error);
  CHECK(context);
}

TEST_CASE("clCreateContextFromType: a type without a device is CL_DEVICE_NOT_FOUND", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(), 0};
  cl_int error = 1;
  CHECK(clCreateContextFromType(properties, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_DEVICE_NOT_FOUND);
}

TEST_CASE("clCreateContextFromType: type 0 is CL_INVALID_DEVICE_TYPE", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(), 0};
  cl_int error = 1;
  CHECK(clCreateContextFromType(properties, 0, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE_TYPE);
}

TEST_CASE("clCreateContextFromType: an unknown property is CL_INVALID_PROPERTY", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(), 0x7777, 1, 0};
  cl_int error = 1;
  CHECK(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROPERTY);
}

TEST_CASE("clCreateContextFromType: data without a callback are CL_INVALID_VALUE", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(), 0};
  cl_int error = 1, data = 0;
  CHECK(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, &data, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clGetContextInfo: tells devices, properties and references", "[context]") {
  const test::Context context = test::make_context();
  cl_uint references = 0, count = 0;
  cl_device_id id = nullptr;
  cl_context_properties properties[3] = {};
  size_t bytes = 0;
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr));
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof id, &id, &bytes));
  CHECK(references == 1);
  CHECK(count == 1);
  CHECK(id == test::device());
  CHECK(bytes == sizeof id);
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof properties, properties, &bytes));
  CHECK(bytes == sizeof properties);
  CHECK(properties[0] == CL_CONTEXT_PLATFORM);
  CHECK(properties[1] == platform_property());
  CHECK(properties[2] == 0);
}

TEST_CASE("clGetContextInfo: a context without properties has none", "[context]") {
  const cl_device_id id = test::device();
  test::Context context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr));
  size_t bytes = 99;
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, nullptr, &bytes));
  CHECK(bytes == 0);
}

TEST_CASE("clGetContextInfo: an unknown query is CL_INVALID_VALUE", "[context]") {
  const test::Context context = test::make_context();
  CHECK_STATUS(clGetContextInfo(context, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetContextInfo: a too small value is CL_INVALID_VALUE", "[context]") {
  const test::Context context = test::make_context();
  char byte;
  CHECK_STATUS(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clRetainContext and clReleaseContext count", "[context]") {
  const test::Context context = test::make_context();
  cl_uint references = 0;
  CHECK_CL(clRetainContext(context));
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK(references == 2);
  CHECK_CL(clReleaseContext(context));
}

TEST_CASE("clSetContextDestructorCallback: callbacks run last in, first out, after the last object",
          "[context]") {
  static std::vector<int> order;
  order.clear();
  {
    test::Context context = test::make_context();
    cl_int error =
        clSetContextDestructorCallback(context, [](cl_context, void*) { order.push_back(1); }, nullptr);
    if (error == CL_INVALID_OPERATION) return; // the loader or driver is older than 3.0
    CHECK_CL(error);
    CHECK_CL(clSetContextDestructorCallback(context, [](cl_context, void*) { order.push_back(2); }, nullptr));
    test::Queue queue = test::make_queue(context);
    context.reset();
    CHECK(order.empty());
  }
  CHECK(order == std::vector<int>{2, 1});
}

TEST_CASE("clSetContextDestructorCallback: no callback is CL_INVALID_VALUE", "[context]") {
  const test::Context context = test::make_context();
  CHECK_STATUS(clSetContextDestructorCallback(context, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("The context callback says in words what was wrong", "[context]") {
  if (!test::is_hostcl()) return;
  std::string said;
  const auto notify = [](const char* text, const void*, size_t, void* data) {
    *static_cast<std::string*>(data) += text;
  };
  const cl_device_id id = test::device();
  cl_int error = 0;
  test::Context context(clCreateContext(nullptr, 1, &id, notify, &said, &error));
  REQUIRE_CL(error);
  CHECK(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_BUFFER_SIZE);
  CHECK(said.find("size") != std::string::npos);
}

TEST_CASE("The context callback is not called for errors of its own calls", "[context]") {
  if (!test::is_hostcl()) return;
  static int depth, calls;
  static cl_context made;
  depth = calls = 0;
  const auto notify = [](const char*, const void*, size_t, void*) {
    ++calls;
    REQUIRE(++depth == 1);
    CHECK(clCreateBuffer(made, CL_MEM_READ_WRITE, 0, nullptr, nullptr) == nullptr);
    --depth;
  };
  const cl_device_id id = test::device();
  test::Context context(clCreateContext(nullptr, 1, &id, notify, nullptr, nullptr));
  made = context;
  for (int i = 1; i <= 2; ++i) {
    CHECK(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, nullptr) == nullptr);
    CHECK(calls == i);
  }
}
