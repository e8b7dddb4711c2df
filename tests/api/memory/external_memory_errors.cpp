// Errors and queries of cl_khr_external_memory

#include "support/choice.hpp"
#include "support/images.hpp"
#include "support/session.hpp"
#include "support/shared_memory.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace test::shared_memory;

TEST_CASE("Memory that can only be read is for objects that nobody writes", "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  std::memset(memory.as<char>(), 3, 4096);
  constexpr cl_mem_flags immutable = 1 << 6;
  for (const cl_mem_flags flags : {cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY}, immutable}) {
    const auto buffer =
        make_buffer(session.context, {opaque, property(memory.given(O_RDONLY)), 0}, 4096, flags);
    CHECK(session.read<cl_uchar>(buffer, 2) == std::vector<cl_uchar>{3, 3});
  }
  const int given = memory.given(O_RDONLY);
  CHECK_STATUS(buffer_error(session.context, {opaque, property(given), 0}, 4096), CL_INVALID_PROPERTY);
  close(given);
}

TEST_CASE("Properties of external memory: each error", "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session, other;
  const Shared memory(4096);
  const auto fd = property(memory.descriptor());
  const auto device = property(static_cast<const void*>(test::device()));
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  struct Case {
    Properties list;
    cl_int error;
  };
  const Case cases[] = {
      {{0x7777, 1, 0}, CL_INVALID_PROPERTY},
      {{opaque, 1'000'000, 0}, CL_INVALID_PROPERTY},
      {{opaque, static_cast<cl_mem_properties>(-1), 0}, CL_INVALID_PROPERTY},
      {{opaque, fd, opaque, fd, 0}, CL_INVALID_PROPERTY},
      {{opaque, fd, dma_buf, fd, 0}, CL_INVALID_PROPERTY},
      {{device_list, device, 0, 0}, CL_INVALID_PROPERTY},
      {{opaque, fd, device_list, 0, 0}, CL_INVALID_PROPERTY},
      {{opaque, fd, device_list, device, 0, device_list, device, 0, 0}, CL_INVALID_PROPERTY},
      {{opaque, fd, device_list, property(session.queue.get()), 0, 0}, CL_INVALID_DEVICE},
  };
  for (const Case& each : cases) {
    CAPTURE(each.list);
    CHECK_STATUS(buffer_error(session.context, each.list, 64), each.error);
    CHECK_STATUS(
        image_error(session.context, each.list, test::r_float, test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4)),
        each.error);
  }
  // Neither memory nor its size
  CHECK(buffer_error(session.context, {opaque, property(ends[0]), 0}, 64) != CL_SUCCESS);
  close(ends[0]);
  close(ends[1]);
  CHECK(fcntl(memory.descriptor(), F_GETFD) >= 0);
}

TEST_CASE("No memory is imported if kernels run in another process", "[external_memory_errors]") {
  if (!test::has_guests()) return;
  const test::Session session;
  const Shared memory(4096);
  for (const cl_mem_properties type : {opaque, dma_buf}) {
    const Properties list{type, property(memory.descriptor()), 0};
    CHECK_STATUS(buffer_error(session.context, list, 64), CL_INVALID_PROPERTY);
    CHECK_STATUS(
        image_error(session.context, list, test::r_float, test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4)),
        CL_INVALID_PROPERTY);
  }
  size_t bytes = 1;
  CHECK_CL(
      clGetDeviceInfo(test::device(), CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, 0, nullptr, &bytes));
  CHECK(bytes == 0);
  char host[64] = {};
  cl_int error = 1;
  const auto import_host = test::extension_function<decltype(&clImportMemoryARM)>("clImportMemoryARM");
  CHECK_FALSE(import_host(session.context, CL_MEM_READ_WRITE, nullptr, host, sizeof host, &error));
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("External memory and host pointers exclude each other", "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  const Properties list{opaque, property(memory.descriptor()), 0};
  char host[64] = {};
  const auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR}) {
    void* pointer = flags == CL_MEM_ALLOC_HOST_PTR ? nullptr : host;
    CHECK_STATUS(buffer_error(session.context, list, 64, flags, pointer), CL_INVALID_VALUE);
    CHECK_STATUS(image_error(session.context, list, test::r_float, description, flags, pointer),
                 CL_INVALID_VALUE);
  }
  CHECK_STATUS(buffer_error(session.context, list, 64, 0, host), CL_INVALID_HOST_PTR);
  CHECK_STATUS(image_error(session.context, list, test::r_float, description, 0, host), CL_INVALID_HOST_PTR);
}

TEST_CASE("Images of external memory: too large, or of a buffer as well", "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  const Properties list{opaque, property(memory.descriptor()), 0};
  auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 64, 17);
  CHECK_STATUS(image_error(session.context, list, test::r_float, description), CL_INVALID_IMAGE_SIZE);
  const auto buffer = session.buffer(4096);
  description = test::image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64);
  description.buffer = buffer;
  CHECK_STATUS(image_error(session.context, list, test::r_float, description), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("CL_MEM_PROPERTIES tells the list, and queries of types the two handles",
          "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  const Properties list{opaque,      property(memory.given()),
                        device_list, property(static_cast<const void*>(test::device())),
                        0,           0};
  const auto buffer = make_buffer(session.context, list, 64);
  Properties told(6);
  size_t size = 0;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, told.size() * sizeof told[0], told.data(), &size));
  CHECK(size == told.size() * sizeof told[0]);
  CHECK(told == list);
  const std::vector<cl_uint> types{static_cast<cl_uint>(opaque), static_cast<cl_uint>(dma_buf)};
  for (const cl_device_info query :
       {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR}) {
    std::vector<cl_uint> answer(2);
    CHECK_CL(clGetDeviceInfo(test::device(), query, 8, answer.data(), nullptr));
    CHECK(answer == types);
  }
  std::vector<cl_uint> answer(2);
  CHECK_CL(clGetPlatformInfo(test::platform(), CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, 8,
                             answer.data(), nullptr));
  CHECK(answer == types);
}

TEST_CASE("A buffer of external memory tells its device address", "[external_memory_errors]") {
  if (!has_external_memory() || !test::has_extension("cl_ext_buffer_device_address")) return;
  const test::Session session;
  const Shared memory(4096);
  constexpr cl_mem_properties private_address = 0x5000;
  const auto buffer =
      make_buffer(session.context, {private_address, CL_TRUE, opaque, property(memory.given()), 0}, 4096);
  cl_ulong address = 0;
  REQUIRE_CL(clGetMemObjectInfo(buffer, 0x5001, sizeof address, &address, nullptr));
  const auto kernel = session.kernel("kernel void k(global int* v) { v[get_global_id(0)] = 8; }", "k");
  const auto set = test::extension_function<cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong)>(
      "clSetKernelArgDevicePointerEXT");
  REQUIRE_CL(set(kernel, 0, address + 16));
  session.run(kernel, 2);
  CHECK(memory.as<int>()[3] == 0);
  CHECK(memory.as<int>()[4] == 8);
}

TEST_CASE("clEnqueueAcquireExternalMemObjectsKHR, clEnqueueReleaseExternalMemObjectsKHR: each error",
          "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const test::Session session, other;
  const Shared memory(4096);
  const auto buffer = make_buffer(session.context, {opaque, property(memory.given()), 0}, 64);
  const auto plain = session.buffer(64);
  const cl_mem good = buffer, wrong[] = {buffer, plain}, none = nullptr;
  const auto failed = test::user_event(session.context), foreign = test::user_event(other.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -1));
  const cl_event has_failed = failed, of_other = foreign, no_event = nullptr;
  const auto queue = session.queue.get();
  for (const auto enqueue : {acquire, release}) {
    CHECK_STATUS(enqueue(nullptr, 1, &good, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(enqueue(queue, 0, &good, 0, nullptr, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(enqueue(queue, 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(enqueue(queue, 1, &none, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(enqueue(queue, 2, wrong, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(enqueue(other.queue, 1, &good, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    CHECK_STATUS(enqueue(queue, 1, &good, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, 0, &has_failed, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, 1, &no_event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_STATUS(enqueue(queue, 1, &good, 1, &of_other, nullptr), CL_INVALID_CONTEXT);
    CHECK_STATUS(enqueue(queue, 1, &good, 1, &has_failed, nullptr),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    // Nothing to hand over is a command all the same.
    test::Event event;
    CHECK_CL(enqueue(queue, 0, nullptr, 0, nullptr, event.address()));
    CHECK_CL(test::wait(event));
  }
}

TEST_CASE("External memory of one part of the device is acquired in its queues", "[external_memory_errors]") {
  if (!has_external_memory()) return;
  const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2];
  if (clCreateSubDevices(test::device(), by_counts, 2, parts, nullptr) != CL_SUCCESS) return;
  const test::Device first(parts[0]), second(parts[1]);
  const test::Context context(clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr));
  const test::Queue good(clCreateCommandQueueWithProperties(context, first, nullptr, nullptr)),
      wrong(clCreateCommandQueueWithProperties(context, second, nullptr, nullptr));
  const Shared memory(4096);
  CHECK_STATUS(buffer_error(context,
                            {opaque, property(memory.descriptor()), device_list,
                             property(static_cast<const void*>(test::device())), 0, 0},
                            64),
               CL_INVALID_DEVICE);
  const auto buffer = make_buffer(
      context,
      {opaque, property(memory.given()), device_list, property(static_cast<const void*>(parts[0])), 0, 0},
      64);
  const cl_mem object = buffer;
  for (const auto enqueue : {acquire, release}) {
    CHECK_CL(enqueue(good, 1, &object, 0, nullptr, nullptr));
    CHECK_STATUS(enqueue(wrong, 1, &object, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  }
  CHECK_CL(clFinish(good));
}
