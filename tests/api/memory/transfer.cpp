// clEnqueueReadBuffer, clEnqueueWriteBuffer (OpenCL 3.0 API, 5.2.2)

#include "support/session.hpp"

#include <numeric>

namespace {

cl_int read(const test::Session& s, cl_mem buffer, size_t offset, size_t size, void* data) {
  return clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, offset, size, data, 0, nullptr, nullptr);
}
cl_int write(const test::Session& s, cl_mem buffer, size_t offset, size_t size, const void* data) {
  return clEnqueueWriteBuffer(s.queue, buffer, CL_TRUE, offset, size, data, 0, nullptr, nullptr);
}

} // namespace

TEST_CASE("clEnqueueWriteBuffer: what was written is read, at any offset", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<char>(1000, 0));
  std::vector<char> expected(1000, 0);
  for (size_t offset : {0, 1, 13, 500, 990}) {
    const std::vector<char> values(10, char(offset + 1));
    REQUIRE_CL(write(session, buffer, offset, 10, values.data()));
    std::copy(values.begin(), values.end(), expected.begin() + offset);
  }
  CHECK(session.read<char>(buffer, 1000) == expected);
}

TEST_CASE("clEnqueueReadBuffer: a non-blocking read is done when its event is", "[transfer]") {
  const test::Session session;
  std::vector<int> values(1 << 20), copy(1 << 20);
  std::iota(values.begin(), values.end(), 0);
  auto buffer = session.buffer(values.size() * 4);
  test::Event event;
  REQUIRE_CL(clEnqueueWriteBuffer(session.queue, buffer, CL_FALSE, 0, values.size() * 4, values.data(), 0,
                                  nullptr, nullptr));
  REQUIRE_CL(clEnqueueReadBuffer(session.queue, buffer, CL_FALSE, 0, copy.size() * 4, copy.data(), 0, nullptr,
                                 event.address()));
  const cl_event handle = event;
  REQUIRE_CL(clWaitForEvents(1, &handle));
  CHECK(copy == values);
}

TEST_CASE("clEnqueueReadBuffer: size 0 reads nothing", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  char byte = 5;
  CHECK_CL(read(session, buffer, 0, 0, &byte));
  CHECK(byte == 5);
  CHECK_CL(write(session, buffer, 64, 0, &byte));
}

TEST_CASE("clEnqueueReadBuffer: out of bounds is CL_INVALID_VALUE", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  std::vector<char> data(128);
  CHECK_STATUS(read(session, buffer, 0, 65, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(read(session, buffer, 60, 5, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(read(session, buffer, 65, 0, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(read(session, buffer, SIZE_MAX, 2, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(read(session, buffer, 2, SIZE_MAX, data.data()), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueWriteBuffer: out of bounds is CL_INVALID_VALUE", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  std::vector<char> data(128);
  CHECK_STATUS(write(session, buffer, 0, 65, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(write(session, buffer, 60, 5, data.data()), CL_INVALID_VALUE);
  CHECK_STATUS(write(session, buffer, SIZE_MAX, 2, data.data()), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueReadBuffer: a NULL pointer is CL_INVALID_VALUE", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(read(session, buffer, 0, 4, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueWriteBuffer: a NULL pointer is CL_INVALID_VALUE", "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(write(session, buffer, 0, 4, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueReadBuffer: a buffer that the host may not read is CL_INVALID_OPERATION", "[transfer]") {
  const test::Session session;
  char byte = 0;
  CHECK_STATUS(read(session, session.buffer(64, CL_MEM_HOST_WRITE_ONLY), 0, 1, &byte), CL_INVALID_OPERATION);
  CHECK_STATUS(read(session, session.buffer(64, CL_MEM_HOST_NO_ACCESS), 0, 1, &byte), CL_INVALID_OPERATION);
}

TEST_CASE("clEnqueueWriteBuffer: a buffer that the host may not write is CL_INVALID_OPERATION",
          "[transfer]") {
  const test::Session session;
  char byte = 0;
  CHECK_STATUS(write(session, session.buffer(64, CL_MEM_HOST_READ_ONLY), 0, 1, &byte), CL_INVALID_OPERATION);
  CHECK_STATUS(write(session, session.buffer(64, CL_MEM_HOST_NO_ACCESS), 0, 1, &byte), CL_INVALID_OPERATION);
}

TEST_CASE("A blocking transfer behind a failed event is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
          "[transfer]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  const auto failed = test::user_event(session.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -5));
  const cl_event wait = failed;
  char byte = 0;
  test::Event event;
  CHECK_STATUS(clEnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, 1, &byte, 1, &wait, event.address()),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_STATUS(clEnqueueWriteBuffer(session.queue, buffer, CL_TRUE, 0, 1, &byte, 1, &wait, nullptr),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  const size_t origin[3] = {0, 0, 0}, box[3] = {1, 1, 1};
  CHECK_STATUS(clEnqueueReadBufferRect(session.queue, buffer, CL_TRUE, origin, origin, box, 0, 0, 0, 0, &byte,
                                       1, &wait, nullptr),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_STATUS(clEnqueueWriteBufferRect(session.queue, buffer, CL_TRUE, origin, origin, box, 0, 0, 0, 0,
                                        &byte, 1, &wait, nullptr),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}
