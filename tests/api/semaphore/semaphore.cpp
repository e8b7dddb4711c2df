// cl_khr_semaphore: what signals and waits do within a process

#include "support/semaphores.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using test::Semaphore;

constexpr cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/// Long enough for a command that is ready to have run.
void give_time() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

} // namespace

TEST_CASE("A wait completes after its signal, and not before", "[semaphore]") {
  if (!test::has_semaphores()) return;
  for (const auto order : orders) {
    const test::Session session(order);
    const auto other = test::make_queue(session.context, order);
    const Semaphore semaphore(session.context);
    const auto gate = test::user_event(session.context);
    const auto signal = semaphore.signal(session.queue, {gate});
    const auto wait = semaphore.wait(other);
    REQUIRE_CL(clFlush(session.queue));
    REQUIRE_CL(clFlush(other));
    give_time();
    CHECK(test::status_of(wait) > CL_COMPLETE);
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_CL(clFinish(other));
    CHECK(test::status_of(wait) == CL_COMPLETE);
    CHECK_CL(test::wait(signal));
  }
}

TEST_CASE("A wait may be enqueued before its signal, in another queue", "[semaphore]") {
  if (!test::has_semaphores()) return;
  for (const auto order : orders) {
    const test::Session session(order);
    const auto other = test::make_queue(session.context, order);
    const Semaphore semaphore(session.context);
    const auto first = semaphore.wait(other), second = semaphore.wait(other);
    REQUIRE_CL(clFlush(other));
    give_time();
    CHECK(test::status_of(first) > CL_COMPLETE);
    semaphore.signal(session.queue);
    CHECK_CL(test::wait(first));
    CHECK(test::status_of(second) > CL_COMPLETE);
    semaphore.signal(session.queue);
    CHECK_CL(test::wait(second));
    CHECK_FALSE(semaphore.is_signaled());
  }
}

TEST_CASE("The k-th wait is for the k-th signal, whichever happens first", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto other = test::make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Semaphore semaphore(session.context);
  const auto gate = test::user_event(session.context);
  semaphore.signal(session.queue, {gate});
  const auto first = semaphore.wait(other);
  semaphore.signal(session.queue);
  const auto second = semaphore.wait(other);
  CHECK_CL(test::wait(second));
  give_time();
  CHECK(test::status_of(first) > CL_COMPLETE);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(first));
}

TEST_CASE("What a queue has written before a signal is there after the wait", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  const auto kernel = session.kernel("kernel void k(global uint* v) { v[get_global_id(0)] += 1; }", "k");
  constexpr size_t items = 5000;
  auto buffer = session.buffer(std::vector<cl_uint>(items, 0));
  test::set_arguments(kernel, buffer);
  const Semaphore there(session.context), back(session.context);
  constexpr cl_uint iterations = 200;
  for (cl_uint iteration = 0; iteration < iterations; ++iteration) {
    if (iteration) back.wait(session.queue);
    REQUIRE_CL(
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    there.signal(session.queue);
    there.wait(other);
    REQUIRE_CL(clEnqueueNDRangeKernel(other, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    back.signal(other);
  }
  REQUIRE_CL(clFinish(other));
  CHECK(session.read<cl_uint>(buffer, items) == std::vector<cl_uint>(items, 2 * iterations));
}

TEST_CASE("One command signals several semaphores, and one waits for several", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto& f = test::semaphore_functions();
  const Semaphore first(session.context), second(session.context);
  const cl_semaphore_khr both[] = {first.get(), second.get()};
  const cl_semaphore_payload_khr payloads[] = {7, 8}; // which binary semaphores ignore
  REQUIRE_CL(f.clEnqueueSignalSemaphoresKHR(session.queue, 2, both, payloads, 0, nullptr, nullptr));
  CHECK_CL(test::wait(first.wait(session.queue)));
  CHECK_CL(test::wait(second.wait(session.queue)));
  test::Event event;
  REQUIRE_CL(f.clEnqueueWaitSemaphoresKHR(session.queue, 2, both, payloads, 0, nullptr, event.address()));
  first.signal(session.queue);
  REQUIRE_CL(clFlush(session.queue));
  give_time();
  CHECK(test::status_of(event) > CL_COMPLETE);
  second.signal(session.queue);
  CHECK_CL(test::wait(event));
}

TEST_CASE("A semaphore that is named twice in a list is waited for twice", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Semaphore semaphore(session.context);
  const cl_semaphore_khr twice[] = {semaphore.get(), semaphore.get()};
  test::Event event;
  REQUIRE_CL(test::semaphore_functions().clEnqueueWaitSemaphoresKHR(session.queue, 2, twice, nullptr, 0,
                                                                    nullptr, event.address()));
  semaphore.signal(session.queue);
  REQUIRE_CL(clFlush(session.queue));
  give_time();
  CHECK(test::status_of(event) > CL_COMPLETE);
  semaphore.signal(session.queue);
  CHECK_CL(test::wait(event));
}

TEST_CASE("CL_SEMAPHORE_PAYLOAD_KHR: 1 from a signal's completion until that of a wait", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const Semaphore semaphore(session.context);
  CHECK_FALSE(semaphore.is_signaled());
  const auto gate = test::user_event(session.context);
  const auto signal = semaphore.signal(session.queue, {gate});
  CHECK_FALSE(semaphore.is_signaled());
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(test::wait(signal));
  CHECK(semaphore.is_signaled());
  const auto later = test::user_event(session.context);
  const auto wait = semaphore.wait(session.queue, {later});
  CHECK(semaphore.is_signaled());
  REQUIRE_CL(clSetUserEventStatus(later, CL_COMPLETE));
  REQUIRE_CL(test::wait(wait));
  CHECK_FALSE(semaphore.is_signaled());
}

TEST_CASE("A signal that fails ends its wait with an error, and the semaphore can be used again",
          "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  const Semaphore semaphore(session.context);
  for (const bool wait_first : {false, true}) {
    const auto gate = test::user_event(session.context);
    test::Event wait;
    if (wait_first) wait = semaphore.wait(other);
    semaphore.signal(session.queue, {gate});
    if (!wait_first) wait = semaphore.wait(other);
    REQUIRE_CL(clSetUserEventStatus(gate, -5));
    CHECK_STATUS(test::wait(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_STATUS(test::status_of(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_FALSE(semaphore.is_signaled());
    semaphore.signal(session.queue);
    CHECK_CL(test::wait(semaphore.wait(other)));
  }
}

TEST_CASE("A wait that fails has taken its signal", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const Semaphore semaphore(session.context);
  const auto gate = test::user_event(session.context);
  semaphore.signal(session.queue);
  const auto wait = semaphore.wait(session.queue, {gate});
  REQUIRE_CL(clSetUserEventStatus(gate, -5));
  CHECK_STATUS(test::wait(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_FALSE(semaphore.is_signaled());
}

TEST_CASE("Two signals without a wait between them let two waits go", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const Semaphore semaphore(session.context);
  semaphore.signal(session.queue);
  REQUIRE_CL(test::wait(semaphore.signal(session.queue)));
  CHECK(semaphore.is_signaled());
  REQUIRE_CL(test::wait(semaphore.wait(session.queue)));
  CHECK(semaphore.is_signaled());
  REQUIRE_CL(test::wait(semaphore.wait(session.queue)));
  CHECK_FALSE(semaphore.is_signaled());
}

TEST_CASE("A semaphore that is released while commands use it serves them", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  Semaphore semaphore(session.context);
  const auto gate = test::user_event(session.context);
  semaphore.signal(session.queue, {gate});
  const auto wait = semaphore.wait(other);
  semaphore.release();
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(wait));
}

TEST_CASE("A wait that can have no signal any more fails when the semaphore is released", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  for (const bool is_exportable : {false, true}) {
    Semaphore semaphore = is_exportable
                              ? Semaphore::exportable(session.context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
                              : Semaphore(session.context);
    const auto wait = semaphore.wait(session.queue);
    REQUIRE_CL(clFlush(session.queue));
    give_time();
    CHECK(test::status_of(wait) > CL_COMPLETE);
    semaphore.release();
    CHECK_STATUS(test::wait(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
}

TEST_CASE("Threads signal and wait thousands of times, in pairs and on one semaphore", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const Semaphore shared(session.context);
  constexpr int threads = 8, iterations = 500;
  std::atomic<int> failures = 0;
  std::vector<std::thread> running;
  for (int number = 0; number < threads; ++number)
    running.emplace_back([&, number] {
      const auto& f = test::semaphore_functions();
      const auto property = orders[number % 2];
      cl_int error = CL_SUCCESS;
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, property, 0};
      const test::Queue there(
          clCreateCommandQueueWithProperties(session.context, test::device(), list, &error));
      const test::Queue back(
          clCreateCommandQueueWithProperties(session.context, test::device(), list, &error));
      const cl_semaphore_properties_khr type[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
      const cl_semaphore_khr own = f.clCreateSemaphoreWithPropertiesKHR(session.context, type, &error);
      const cl_semaphore_khr both = shared.get();
      for (int iteration = 0; iteration < iterations; ++iteration) {
        failures +=
            f.clEnqueueSignalSemaphoresKHR(there, 1, &own, nullptr, 0, nullptr, nullptr) != CL_SUCCESS;
        failures += f.clEnqueueWaitSemaphoresKHR(back, 1, &own, nullptr, 0, nullptr, nullptr) != CL_SUCCESS;
        failures +=
            f.clEnqueueSignalSemaphoresKHR(there, 1, &both, nullptr, 0, nullptr, nullptr) != CL_SUCCESS;
        failures += f.clEnqueueWaitSemaphoresKHR(back, 1, &both, nullptr, 0, nullptr, nullptr) != CL_SUCCESS;
      }
      failures += clFinish(there) != CL_SUCCESS || clFinish(back) != CL_SUCCESS;
      failures += f.clReleaseSemaphoreKHR(own) != CL_SUCCESS;
    });
  for (auto& thread : running)
    thread.join();
  CHECK(failures == 0);
  CHECK_FALSE(shared.is_signaled());
}

TEST_CASE("Semaphores: every query, and that of sizes", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto& f = test::semaphore_functions();
  const cl_device_id device = test::device();
  const auto device_value = static_cast<cl_semaphore_properties_khr>(reinterpret_cast<uintptr_t>(device));
  const Semaphore semaphore(session.context, {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device_value, 0});
  CHECK(semaphore.info<cl_context>(CL_SEMAPHORE_CONTEXT_KHR) == session.context.get());
  CHECK(semaphore.info<cl_uint>(CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 1);
  CHECK_CL(f.clRetainSemaphoreKHR(semaphore.get()));
  CHECK(semaphore.info<cl_uint>(CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 2);
  CHECK_CL(f.clReleaseSemaphoreKHR(semaphore.get()));
  CHECK(semaphore.info<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_KHR) == CL_SEMAPHORE_TYPE_BINARY_KHR);
  CHECK(semaphore.info<cl_device_id>(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) == device);
  CHECK(semaphore.info<cl_bool>(CL_SEMAPHORE_EXPORTABLE_KHR) == CL_FALSE);
  cl_semaphore_properties_khr list[8] = {};
  size_t size = 0;
  REQUIRE_CL(f.clGetSemaphoreInfoKHR(semaphore.get(), CL_SEMAPHORE_PROPERTIES_KHR, sizeof list, list, &size));
  CHECK(size == 6 * sizeof list[0]);
  CHECK(list[2] == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR);
  CHECK(list[3] == device_value);
  size = 1;
  REQUIRE_CL(
      f.clGetSemaphoreInfoKHR(semaphore.get(), CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0, nullptr, &size));
  CHECK(size == 0);
  const auto exportable = Semaphore::exportable(session.context, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
  CHECK(exportable.info<cl_bool>(CL_SEMAPHORE_EXPORTABLE_KHR) == CL_TRUE);
  CHECK(exportable.info<cl_external_semaphore_handle_type_khr>(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) ==
        CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
  CHECK(exportable.info<cl_device_id>(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) == device);
  CHECK_STATUS(f.clGetSemaphoreInfoKHR(semaphore.get(), 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_uchar small[3];
  for (const cl_semaphore_info_khr name :
       {CL_SEMAPHORE_CONTEXT_KHR, CL_SEMAPHORE_REFERENCE_COUNT_KHR, CL_SEMAPHORE_PROPERTIES_KHR,
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_PAYLOAD_KHR, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
        CL_SEMAPHORE_EXPORTABLE_KHR})
    CHECK_STATUS(f.clGetSemaphoreInfoKHR(semaphore.get(), name, sizeof small, small, nullptr),
                 CL_INVALID_VALUE);
}

TEST_CASE("Platform and device tell the types of semaphores and handles", "[semaphore]") {
  if (!test::has_semaphores()) return;
  const std::vector<cl_uint> types{CL_SEMAPHORE_TYPE_BINARY_KHR};
  const std::vector<cl_uint> handles{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
  std::vector<cl_uint> answer(2);
  size_t size = 0;
  CHECK_CL(clGetDeviceInfo(test::device(), CL_DEVICE_SEMAPHORE_TYPES_KHR, 8, answer.data(), &size));
  CHECK(size == 4);
  CHECK(answer[0] == types[0]);
  CHECK_CL(clGetPlatformInfo(test::platform(), CL_PLATFORM_SEMAPHORE_TYPES_KHR, 8, answer.data(), &size));
  CHECK(size == 4);
  CHECK(answer[0] == types[0]);
  for (const cl_device_info query :
       {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}) {
    answer.assign(2, 0);
    CHECK_CL(clGetDeviceInfo(test::device(), query, 8, answer.data(), &size));
    CHECK(answer == handles);
  }
  for (const cl_platform_info query :
       {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}) {
    answer.assign(2, 0);
    CHECK_CL(clGetPlatformInfo(test::platform(), query, 8, answer.data(), &size));
    CHECK(answer == handles);
  }
}
