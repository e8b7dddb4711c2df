// Queries, references and destructor callbacks of memory objects, and migration (OpenCL 3.0 API, 5.5)

#include "support/session.hpp"

TEST_CASE("clGetMemObjectInfo: answers every query of the table", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(1000, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  const auto ask = [&](cl_mem_info query, auto value) {
    size_t bytes = 0;
    CAPTURE(query);
    CHECK_CL(clGetMemObjectInfo(buffer, query, sizeof value, &value, &bytes));
    CHECK(bytes == sizeof value);
    return value;
  };
  CHECK(ask(CL_MEM_TYPE, cl_mem_object_type(0)) == CL_MEM_OBJECT_BUFFER);
  CHECK(ask(CL_MEM_FLAGS, cl_mem_flags(0)) == (CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
  CHECK(ask(CL_MEM_SIZE, size_t(0)) == 1000);
  CHECK(ask(CL_MEM_HOST_PTR, (void*)&session) == nullptr);
  CHECK(ask(CL_MEM_MAP_COUNT, cl_uint(5)) == 0);
  CHECK(ask(CL_MEM_REFERENCE_COUNT, cl_uint(5)) == 1);
  CHECK(ask(CL_MEM_CONTEXT, cl_context(nullptr)) == session.context.get());
  CHECK(ask(CL_MEM_ASSOCIATED_MEMOBJECT, buffer.get()) == nullptr);
  CHECK(ask(CL_MEM_OFFSET, size_t(5)) == 0);
  CHECK(ask(CL_MEM_USES_SVM_POINTER, cl_bool(CL_TRUE)) == CL_FALSE);
}

TEST_CASE("clGetMemObjectInfo: the flags of a buffer without any are read-write", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64, 0);
  cl_mem_flags flags = 0;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, nullptr));
  CHECK((flags == CL_MEM_READ_WRITE || flags == 0));
}

TEST_CASE("clGetMemObjectInfo: properties are those given", "[mem_object]") {
  const test::Session session;
  cl_int error = 1;
  const cl_mem_properties none[] = {0};
  test::Buffer with(
      clCreateBufferWithProperties(session.context, none, CL_MEM_READ_WRITE, 64, nullptr, &error));
  auto without = session.buffer(64);
  size_t bytes = 99;
  CHECK_CL(clGetMemObjectInfo(without, CL_MEM_PROPERTIES, 0, nullptr, &bytes));
  CHECK(bytes == 0);
  CHECK_CL(clGetMemObjectInfo(with, CL_MEM_PROPERTIES, 0, nullptr, &bytes));
  CHECK(bytes == sizeof none);
}

TEST_CASE("clGetMemObjectInfo: an unknown query is CL_INVALID_VALUE", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(clGetMemObjectInfo(buffer, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetMemObjectInfo: a too small value is CL_INVALID_VALUE", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  char byte;
  CHECK_STATUS(clGetMemObjectInfo(buffer, CL_MEM_SIZE, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clRetainMemObject and clReleaseMemObject count", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  cl_uint references = 0;
  CHECK_CL(clRetainMemObject(buffer));
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK(references == 2);
  CHECK_CL(clReleaseMemObject(buffer));
}

TEST_CASE("clSetMemObjectDestructorCallback: callbacks run last in, first out", "[mem_object]") {
  static std::vector<int> order;
  order.clear();
  const test::Session session;
  auto buffer = session.buffer(64);
  for (int i : {1, 2, 3})
    CHECK_CL(clSetMemObjectDestructorCallback(
        buffer, [](cl_mem, void* data) { order.push_back(int(reinterpret_cast<intptr_t>(data))); },
        reinterpret_cast<void*>(intptr_t(i))));
  buffer.reset();
  CHECK_CL(clFinish(session.queue));
  CHECK(order == std::vector<int>{3, 2, 1});
}

TEST_CASE("clSetMemObjectDestructorCallback: the host memory may be freed in it", "[mem_object]") {
  const test::Session session;
  auto* memory = new std::vector<int>(4096, 2);
  auto buffer = session.buffer(16384, CL_MEM_USE_HOST_PTR, memory->data());
  REQUIRE_CL(clSetMemObjectDestructorCallback(
      buffer, [](cl_mem, void* data) { delete static_cast<std::vector<int>*>(data); }, memory));
  const cl_int pattern = 5;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 16384, 0, nullptr, nullptr));
  buffer.reset();
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clSetMemObjectDestructorCallback: the callback comes before that of a later clEnqueueSVMFree",
          "[mem_object]") {
  static std::vector<int> order;
  order.clear();
  const test::Session session;
  const auto program = session.build("kernel void k(global int* p) { *p += 1; }");
  const auto kernel = session.kernel(program, "k");
  for (int i = 0; i < 4; ++i) { // from the second launch on, the driver knows how short they are
    order.clear();
    auto buffer = session.buffer(64);
    CHECK_CL(clSetMemObjectDestructorCallback(buffer, [](cl_mem, void*) { order.push_back(1); }, nullptr));
    test::set_arguments(kernel, buffer);
    const std::size_t one = 1;
    CHECK_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    buffer.reset();
    void* memory = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0);
    const auto free = [](cl_command_queue, cl_uint, void* list[], void* context) {
      order.push_back(2);
      clSVMFree(static_cast<cl_context>(context), list[0]);
    };
    REQUIRE_CL(clEnqueueSVMFree(session.queue, 1, &memory, free, session.context.get(), 0, nullptr, nullptr));
    CHECK_CL(clFinish(session.queue));
    CHECK(order == std::vector<int>{1, 2});
  }
}

TEST_CASE("clSetMemObjectDestructorCallback: no callback is CL_INVALID_VALUE", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(clSetMemObjectDestructorCallback(buffer, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMigrateMemObjects: moves to the device and to the host", "[mem_object]") {
  const test::Session session;
  auto first = session.buffer(std::vector<int>(16, 3)), second = session.buffer(64);
  const cl_mem objects[] = {first, second};
  for (cl_mem_migration_flags flags :
       {cl_mem_migration_flags(0), cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST)}) {
    test::Event event;
    CHECK_CL(clEnqueueMigrateMemObjects(session.queue, 2, objects, flags, 0, nullptr, event.address()));
    CHECK(event);
  }
  CHECK_CL(clFinish(session.queue));
  CHECK(session.read<int>(first, 16) == std::vector<int>(16, 3));
}

TEST_CASE("clEnqueueMigrateMemObjects: no objects are CL_INVALID_VALUE", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  const cl_mem object = buffer;
  CHECK_STATUS(clEnqueueMigrateMemObjects(session.queue, 0, &object, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueMigrateMemObjects(session.queue, 1, nullptr, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMigrateMemObjects: unknown flags are CL_INVALID_VALUE", "[mem_object]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  const cl_mem object = buffer;
  CHECK_STATUS(clEnqueueMigrateMemObjects(session.queue, 1, &object, 1 << 10, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMigrateMemObjects: NULL among the objects is CL_INVALID_MEM_OBJECT", "[mem_object]") {
  const test::Session session;
  const cl_mem object = nullptr;
  CHECK_STATUS(clEnqueueMigrateMemObjects(session.queue, 1, &object, 0, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}
