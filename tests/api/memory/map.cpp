// clEnqueueMapBuffer, clEnqueueUnmapMemObject (OpenCL 3.0 API, 5.2.4 and 5.5.5)

#include "support/session.hpp"

namespace {

void* map(const test::Session& s, cl_mem buffer, cl_map_flags flags, size_t offset, size_t size,
          cl_int* error) {
  return clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, error);
}

cl_int map_error(cl_map_flags flags, size_t offset, size_t size, cl_mem_flags buffer_flags = 0) {
  const test::Session session;
  auto buffer = session.buffer(64, buffer_flags);
  cl_int error = 1;
  void* pointer = map(session, buffer, flags, offset, size, &error);
  CHECK((pointer != nullptr) == (error == CL_SUCCESS));
  return error;
}

cl_uint map_count(cl_mem buffer) {
  cl_uint count = 0;
  REQUIRE_CL(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr));
  return count;
}

} // namespace

TEST_CASE("clEnqueueMapBuffer: the host reads and writes the buffer's values", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  cl_int error = 1;
  int* values = static_cast<int*>(map(session, buffer, CL_MAP_READ | CL_MAP_WRITE, 8, 16, &error));
  REQUIRE_CL(error);
  CHECK(values[0] == 3);
  CHECK(values[3] == 6);
  values[1] = 40;
  REQUIRE_CL(clEnqueueUnmapMemObject(session.queue, buffer, values, 0, nullptr, nullptr));
  CHECK(session.read<int>(buffer, 8) == std::vector<int>{1, 2, 3, 40, 5, 6, 7, 8});
}

TEST_CASE("clEnqueueMapBuffer: invalidating maps write", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<int>(16, 1));
  cl_int error = 1;
  int* values = static_cast<int*>(map(session, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, &error));
  REQUIRE_CL(error);
  std::fill_n(values, 16, 8);
  REQUIRE_CL(clEnqueueUnmapMemObject(session.queue, buffer, values, 0, nullptr, nullptr));
  CHECK(session.read<int>(buffer, 16) == std::vector<int>(16, 8));
}

TEST_CASE("clEnqueueMapBuffer: reads of one region may overlap, each is unmapped by itself", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  cl_int error = 1;
  void* first = map(session, buffer, CL_MAP_READ, 0, 64, &error);
  void* second = map(session, buffer, CL_MAP_READ, 0, 32, &error);
  void* third = map(session, buffer, CL_MAP_READ, 16, 16, &error);
  REQUIRE_CL(error);
  CHECK(map_count(buffer) == 3);
  for (void* pointer : {first, second, third})
    CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
  CHECK(map_count(buffer) == 0);
}

TEST_CASE("clEnqueueMapBuffer: regions mapped for writing that overlap are CL_INVALID_OPERATION", "[map]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  auto buffer = session.buffer(64);
  cl_int error = 1;
  void* first = map(session, buffer, CL_MAP_WRITE, 16, 16, &error);
  REQUIRE_CL(error);
  for (cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    for (size_t offset : {0, 16, 31}) {
      CHECK(map(session, buffer, flags, offset, 17, &error) == nullptr);
      CHECK_STATUS(error, CL_INVALID_OPERATION);
    }
  }
  CHECK(map_count(buffer) == 1);
  std::vector<void*> others = {first};
  others.push_back(map(session, buffer, CL_MAP_WRITE, 0, 16, &error));
  CHECK_CL(error);
  others.push_back(map(session, buffer, CL_MAP_WRITE, 32, 32, &error));
  CHECK_CL(error);
  others.push_back(map(session, buffer, CL_MAP_READ, 0, 64, &error));
  CHECK_CL(error);
  CHECK(map_count(buffer) == 4);
  for (void* pointer : others)
    CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr));
  // As soon as the commands that unmap are enqueued.
  void* again = map(session, buffer, CL_MAP_WRITE, 0, 64, &error);
  CHECK_CL(error);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, again, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueMapBuffer: the host pointer is used in place, at the offset", "[map]") {
  const test::Session session;
  std::vector<char> memory(256);
  auto buffer = session.buffer(256, CL_MEM_USE_HOST_PTR, memory.data());
  cl_int error = 1;
  void* pointer = map(session, buffer, CL_MAP_READ, 100, 10, &error);
  REQUIRE_CL(error);
  CHECK(pointer == memory.data() + 100);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueMapBuffer: a non-blocking map is ready with its event", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(4096);
  const cl_int pattern = 77;
  test::Event event;
  cl_int error = 1;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, nullptr));
  const int* values = static_cast<int*>(clEnqueueMapBuffer(session.queue, buffer, CL_FALSE, CL_MAP_READ, 0,
                                                           4096, 0, nullptr, event.address(), &error));
  REQUIRE_CL(error);
  const cl_event handle = event;
  REQUIRE_CL(clWaitForEvents(1, &handle));
  CHECK(values[1023] == 77);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, const_cast<int*>(values), 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueMapBuffer: out of bounds is CL_INVALID_VALUE", "[map]") {
  CHECK_STATUS(map_error(CL_MAP_READ, 0, 65), CL_INVALID_VALUE);
  CHECK_STATUS(map_error(CL_MAP_READ, 64, 1), CL_INVALID_VALUE);
  CHECK_STATUS(map_error(CL_MAP_READ, SIZE_MAX, 2), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMapBuffer: size 0 is CL_INVALID_VALUE", "[map]") {
  CHECK_STATUS(map_error(CL_MAP_READ, 0, 0), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMapBuffer: unknown flags are CL_INVALID_VALUE", "[map]") {
  CHECK_STATUS(map_error(cl_map_flags(1) << 10, 0, 64), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMapBuffer: to invalidate excludes reading and writing", "[map]") {
  CHECK_STATUS(map_error(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64), CL_INVALID_VALUE);
  CHECK_STATUS(map_error(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMapBuffer: to read what the host may not read is CL_INVALID_OPERATION", "[map]") {
  CHECK_STATUS(map_error(CL_MAP_READ, 0, 64, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_OPERATION);
  CHECK_STATUS(map_error(CL_MAP_READ, 0, 64, CL_MEM_HOST_NO_ACCESS), CL_INVALID_OPERATION);
}

TEST_CASE("clEnqueueMapBuffer: to write what the host may not write is CL_INVALID_OPERATION", "[map]") {
  for (cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    CHECK_STATUS(map_error(flags, 0, 64, CL_MEM_HOST_READ_ONLY), CL_INVALID_OPERATION);
    CHECK_STATUS(map_error(flags, 0, 64, CL_MEM_HOST_NO_ACCESS), CL_INVALID_OPERATION);
  }
}

TEST_CASE(
    "clEnqueueMapBuffer: behind a failed event, blocking, is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    "[map]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  cl_int error = 0;
  const auto failed = test::user_event(session.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -5));
  const cl_event wait = failed;
  CHECK(clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 1, &wait, nullptr, &error) ==
        nullptr);
  CHECK_STATUS(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(map_count(buffer) == 0);
}

TEST_CASE("clEnqueueMapBuffer: after a failed event, non-blocking, nothing stays mapped", "[map]") {
  for (cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Session session(properties);
    auto buffer = session.buffer(64);
    const auto failed = test::user_event(session.context);
    const cl_event wait = failed;
    test::Event mapped;
    cl_int error = 0;
    void* region = clEnqueueMapBuffer(session.queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, 64, 1, &wait,
                                      mapped.address(), &error);
    REQUIRE_CL(error);
    REQUIRE_CL(clSetUserEventStatus(failed, -5));
    CHECK_STATUS(test::wait(mapped), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(map_count(buffer) == 0);
    region =
        clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_WRITE, 32, 32, 0, nullptr, nullptr, &error);
    CHECK_CL(error);
    CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, region, 0, nullptr, nullptr));
  }
}

TEST_CASE("clEnqueueMapBuffer: a map that fails takes no other of its address along", "[map]") {
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  auto buffer = session.buffer(64);
  const auto failed = test::user_event(session.context);
  const cl_event wait = failed;
  test::Event mapped;
  const auto map = [&](cl_uint count, cl_event* event) {
    return clEnqueueMapBuffer(session.queue, buffer, CL_FALSE, CL_MAP_READ, 0, 64, count,
                              count ? &wait : nullptr, event, nullptr);
  };
  void* region = map(1, mapped.address());
  REQUIRE_CL(clEnqueueUnmapMemObject(session.queue, buffer, region, 0, nullptr, nullptr));
  REQUIRE(map(0, nullptr) == region);
  REQUIRE_CL(clSetUserEventStatus(failed, -5));
  CHECK_STATUS(test::wait(mapped), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(map_count(buffer) == 1);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, region, 0, nullptr, nullptr));
}

TEST_CASE("clEnqueueUnmapMemObject: a pointer that is not mapped is CL_INVALID_VALUE", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  char memory[64];
  CHECK_STATUS(clEnqueueUnmapMemObject(session.queue, buffer, memory, 0, nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueUnmapMemObject(session.queue, buffer, nullptr, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  cl_int error = 1;
  char* mapped = static_cast<char*>(map(session, buffer, CL_MAP_READ, 16, 16, &error));
  CHECK_STATUS(clEnqueueUnmapMemObject(session.queue, buffer, mapped + 1, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, mapped, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueUnmapMemObject: to unmap twice is CL_INVALID_VALUE", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  cl_int error = 1;
  void* pointer = map(session, buffer, CL_MAP_READ, 0, 64, &error);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
  CHECK_STATUS(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueUnmapMemObject: another buffer's pointer is CL_INVALID_VALUE", "[map]") {
  const test::Session session;
  auto buffer = session.buffer(64), other = session.buffer(64);
  cl_int error = 1;
  void* pointer = map(session, buffer, CL_MAP_READ, 0, 64, &error);
  CHECK_STATUS(clEnqueueUnmapMemObject(session.queue, other, pointer, 0, nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, pointer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}
