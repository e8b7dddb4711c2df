// cl_khr_semaphore and cl_khr_external_semaphore: each error of their functions

#include "support/semaphores.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>

namespace {

using test::Semaphore;
using test::SemaphoreProperties;

const test::SemaphoreFunctions& f() {
  return test::semaphore_functions();
}

cl_int creation_error(cl_context context, SemaphoreProperties list) {
  cl_int error = CL_SUCCESS;
  list.push_back(0);
  CHECK(f().clCreateSemaphoreWithPropertiesKHR(context, list.data(), &error) == nullptr);
  return error;
}

cl_semaphore_properties_khr property(const void* handle) {
  return static_cast<cl_semaphore_properties_khr>(reinterpret_cast<uintptr_t>(handle));
}

constexpr cl_semaphore_properties_khr type = CL_SEMAPHORE_TYPE_KHR, binary = CL_SEMAPHORE_TYPE_BINARY_KHR,
                                      devices = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                      exports = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                      opaque_fd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                      sync_fd = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;

/// Two parts of the device, or nothing where it cannot be divided.
struct Parts {
  std::vector<cl_device_id> list;
  Parts() {
    const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    list.resize(2);
    if (clCreateSubDevices(test::device(), by_counts, 2, list.data(), nullptr) != CL_SUCCESS) list.clear();
  }
  ~Parts() {
    for (const cl_device_id part : list)
      clReleaseDevice(part);
  }
  test::Context context() const {
    return test::Context(clCreateContext(nullptr, 2, list.data(), nullptr, nullptr, nullptr));
  }
};

/// One of the two functions that enqueue.
using Enqueue = clEnqueueSignalSemaphoresKHR_fn;
Enqueue enqueuers(bool waits) {
  return waits ? f().clEnqueueWaitSemaphoresKHR : f().clEnqueueSignalSemaphoresKHR;
}

} // namespace

TEST_CASE("clCreateSemaphoreWithPropertiesKHR: properties that are not valid are CL_INVALID_PROPERTY",
          "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const auto context = test::make_context();
  const test::Descriptor file(open("/dev/zero", O_RDONLY | O_CLOEXEC)), blocking(eventfd(0, EFD_CLOEXEC));
  const auto file_number = static_cast<cl_semaphore_properties_khr>(file.get());
  const SemaphoreProperties wrong[] = {
      {0x7777, 1},
      {type, 2},
      {type, binary, type, binary},
      {type, binary, exports, 0x7777, 0},
      {type, binary, exports, opaque_fd, 0, exports, opaque_fd, 0},
      {type, binary, sync_fd, static_cast<cl_semaphore_properties_khr>(-2)},
      {type, binary, sync_fd, 1'000'000},
      {type, binary, sync_fd, (cl_semaphore_properties_khr{1} << 40) + file_number},
      {type, binary, opaque_fd, static_cast<cl_semaphore_properties_khr>(-1)},
      {type, binary, opaque_fd, file_number},
      {type, binary, opaque_fd, static_cast<cl_semaphore_properties_khr>(blocking.get())},
      {type, binary, sync_fd, static_cast<cl_semaphore_properties_khr>(-1), opaque_fd, file_number},
  };
  for (const auto& list : wrong) {
    CAPTURE(list);
    CHECK_STATUS(creation_error(context, list), CL_INVALID_PROPERTY);
  }
  CHECK(fcntl(file.get(), F_GETFD) >= 0); // still the test's
}

TEST_CASE("clCreateSemaphoreWithPropertiesKHR: devices, missing properties, contradictions",
          "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto& context = session.context;
  cl_int error = CL_SUCCESS;
  CHECK(f().clCreateSemaphoreWithPropertiesKHR(nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(f().clCreateSemaphoreWithPropertiesKHR(context, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK_STATUS(creation_error(context, {}), CL_INVALID_VALUE);
  const auto device = property(test::device());
  CHECK_STATUS(creation_error(context, {devices, device, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(creation_error(context, {type, binary, devices, 0}), CL_INVALID_DEVICE);
  CHECK_STATUS(creation_error(context, {type, binary, devices, device, device, 0}), CL_INVALID_DEVICE);
  CHECK_STATUS(creation_error(context, {type, binary, devices, property(session.queue), 0}),
               CL_INVALID_DEVICE);
  CHECK_STATUS(creation_error(context, {type, binary, exports, opaque_fd, sync_fd, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(creation_error(context, {type, binary, sync_fd, static_cast<cl_semaphore_properties_khr>(-1),
                                        exports, sync_fd, 0}),
               CL_INVALID_OPERATION);
}

TEST_CASE("Semaphores of a context with several devices belong to one", "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const Parts parts;
  if (parts.list.empty()) return;
  const auto context = parts.context();
  REQUIRE(context);
  CHECK_STATUS(creation_error(context, {type, binary}), CL_INVALID_PROPERTY);
  CHECK_STATUS(creation_error(context, {type, binary, devices, property(test::device()), 0}),
               CL_INVALID_DEVICE);
  const Semaphore semaphore(context, {devices, property(parts.list[0]), 0});
  const cl_semaphore_khr handle = semaphore.get();
  const test::Queue good(clCreateCommandQueueWithProperties(context, parts.list[0], nullptr, nullptr)),
      wrong(clCreateCommandQueueWithProperties(context, parts.list[1], nullptr, nullptr));
  for (const bool waits : {false, true}) {
    CHECK_STATUS(enqueuers(waits)(wrong, 1, &handle, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    CHECK_CL(enqueuers(waits)(good, 1, &handle, nullptr, 0, nullptr, nullptr));
  }
  CHECK_CL(clFinish(good));
  // A queue whose device the semaphore's context does not have
  const test::Session session;
  for (const bool waits : {false, true})
    CHECK_STATUS(enqueuers(waits)(session.queue, 1, &handle, nullptr, 0, nullptr, nullptr),
                 CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("clEnqueueSignalSemaphoresKHR, clEnqueueWaitSemaphoresKHR: each error", "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const test::Session session, other;
  const Semaphore semaphore(session.context);
  const cl_semaphore_khr good = semaphore.get();
  const cl_semaphore_khr wrong[] = {good, nullptr};
  const auto failed = test::user_event(session.context), foreign = test::user_event(other.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -1));
  const cl_event of_other = foreign, has_failed = failed, none = nullptr;
  const auto queue = session.queue.get();
  for (const bool waits : {false, true}) {
    const Enqueue enqueue = enqueuers(waits);
    CHECK_STATUS(enqueue(nullptr, 1, &good, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(enqueue(queue, 0, &good, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(enqueue(queue, 1, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(enqueue(queue, 2, wrong, nullptr, 0, nullptr, nullptr), CL_INVALID_SEMAPHORE_KHR);
    CHECK_STATUS(enqueue(other.queue, 1, &good, nullptr, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    CHECK_STATUS(enqueue(queue, 1, &good, nullptr, 1, &of_other, nullptr), CL_INVALID_CONTEXT);
    CHECK_STATUS(enqueue(queue, 1, &good, nullptr, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, nullptr, 0, &has_failed, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, nullptr, 1, &none, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, nullptr, 1, &has_failed, nullptr),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  CHECK_CL(clFinish(queue));
  CHECK_FALSE(semaphore.is_signaled()); // none of the calls did anything
}

TEST_CASE("clGetSemaphoreHandleForTypeKHR: each error", "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto semaphore = Semaphore::exportable(session.context, sync_fd);
  const auto get = f().clGetSemaphoreHandleForTypeKHR;
  const auto device = test::device();
  int descriptor = -2;
  size_t size = 0;
  CHECK_STATUS(get(nullptr, device, sync_fd, sizeof descriptor, &descriptor, &size),
               CL_INVALID_SEMAPHORE_KHR);
  CHECK_STATUS(get(semaphore.get(), nullptr, sync_fd, sizeof descriptor, &descriptor, &size),
               CL_INVALID_DEVICE);
  if (const Parts parts; !parts.list.empty())
    CHECK_STATUS(get(semaphore.get(), parts.list[0], sync_fd, sizeof descriptor, &descriptor, &size),
                 CL_INVALID_DEVICE);
  CHECK_STATUS(get(semaphore.get(), device, opaque_fd, sizeof descriptor, &descriptor, &size),
               CL_INVALID_VALUE);
  CHECK_STATUS(get(semaphore.get(), device, sync_fd, sizeof descriptor - 1, &descriptor, &size),
               CL_INVALID_VALUE);
  CHECK(descriptor == -2);
  // Without a place for it there is only its size.
  CHECK_CL(get(semaphore.get(), device, sync_fd, 0, nullptr, &size));
  CHECK(size == sizeof(int));
  CHECK_CL(get(semaphore.get(), device, sync_fd, 0, nullptr, nullptr));
}

TEST_CASE("clReImportSemaphoreSyncFdKHR: each error", "[semaphore_errors]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto reimport = f().clReImportSemaphoreSyncFdKHR;
  const auto imported = Semaphore::imported(session.context, sync_fd, -1);
  const Semaphore plain(session.context);
  CHECK_STATUS(reimport(nullptr, nullptr, -1), CL_INVALID_SEMAPHORE_KHR);
  CHECK_STATUS(reimport(plain.get(), nullptr, -1), CL_INVALID_SEMAPHORE_KHR);
  CHECK_STATUS(reimport(imported.get(), nullptr, -2), CL_INVALID_VALUE);
  CHECK_STATUS(reimport(imported.get(), nullptr, 1'000'000), CL_INVALID_VALUE);
  cl_properties wrong[] = {0x7777, 1, 0}, none[] = {0};
  CHECK_STATUS(reimport(imported.get(), wrong, -1), CL_INVALID_VALUE);
  CHECK_CL(reimport(imported.get(), none, -1));
}
