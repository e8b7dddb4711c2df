// cl_khr_external_memory with cl_khr_external_memory_opaque_fd and cl_khr_external_memory_dma_buf. A dma-buf
// needs a device that makes one; its handle takes any memory that can be mapped.

#include "support/images.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Names that older headers lack
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

namespace {

using Properties = std::vector<cl_mem_properties>;
constexpr cl_mem_properties opaque = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                            dma_buf = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                            device_list = CL_MEM_DEVICE_HANDLE_LIST_KHR;

bool has_external_memory() {
  return test::has_extension("cl_khr_external_memory_opaque_fd") &&
         test::has_extension("cl_khr_external_memory_dma_buf");
}

/// Memory that other processes could have, as the test sees it.
class Shared {
public:
  explicit Shared(size_t bytes) : bytes_(bytes), descriptor_(memfd_create("test", MFD_CLOEXEC)) {
    REQUIRE(descriptor_ >= 0);
    REQUIRE(ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0);
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    REQUIRE(mapped != MAP_FAILED);
    data_ = mapped;
  }
  ~Shared() {
    munmap(data_, bytes_);
    close(descriptor_);
  }
  Shared(const Shared&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  int descriptor() const { return descriptor_; }
  /// One for the driver.
  int given(int flags = O_RDWR) const {
    if (flags == O_RDWR) return fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    return open(("/proc/self/fd/" + std::to_string(descriptor_)).c_str(), flags | O_CLOEXEC);
  }

private:
  size_t bytes_;
  int descriptor_;
  void* data_;
};

cl_mem_properties property(int descriptor) {
  return static_cast<cl_mem_properties>(descriptor);
}
cl_mem_properties property(const void* handle) {
  return static_cast<cl_mem_properties>(reinterpret_cast<uintptr_t>(handle));
}

cl_int try_buffer(cl_context context, const Properties& list, size_t bytes, test::Buffer& buffer,
                  cl_mem_flags flags = 0, void* host = nullptr) {
  cl_int error = 1;
  buffer.reset(clCreateBufferWithProperties(context, list.data(), flags, bytes, host, &error));
  CHECK(static_cast<bool>(buffer) == (error == CL_SUCCESS));
  return error;
}
cl_int buffer_error(cl_context context, const Properties& list, size_t bytes, cl_mem_flags flags = 0,
                    void* host = nullptr) {
  test::Buffer buffer;
  return try_buffer(context, list, bytes, buffer, flags, host);
}
test::Buffer make_buffer(cl_context context, const Properties& list, size_t bytes, cl_mem_flags flags = 0) {
  test::Buffer buffer;
  REQUIRE_CL(try_buffer(context, list, bytes, buffer, flags));
  return buffer;
}
cl_int image_error(cl_context context, const Properties& list, const cl_image_format& format,
                   const cl_image_desc& description, cl_mem_flags flags = 0, void* host = nullptr) {
  cl_int error = 1;
  const test::Buffer image(
      clCreateImageWithProperties(context, list.data(), flags, &format, &description, host, &error));
  CHECK(static_cast<bool>(image) == (error == CL_SUCCESS));
  return error;
}

cl_int acquire(cl_command_queue queue, cl_uint count, const cl_mem* objects, cl_uint wait_count = 0,
               const cl_event* waits = nullptr, cl_event* event = nullptr) {
  return test::extension_function<clEnqueueAcquireExternalMemObjectsKHR_fn>(
      "clEnqueueAcquireExternalMemObjectsKHR")(queue, count, objects, wait_count, waits, event);
}
cl_int release(cl_command_queue queue, cl_uint count, const cl_mem* objects, cl_uint wait_count = 0,
               const cl_event* waits = nullptr, cl_event* event = nullptr) {
  return test::extension_function<clEnqueueReleaseExternalMemObjectsKHR_fn>(
      "clEnqueueReleaseExternalMemObjectsKHR")(queue, count, objects, wait_count, waits, event);
}

/// Whether the process has a mapping of the memory besides the test's own.
bool is_mapped_twice(const Shared& memory) {
  struct stat status{};
  REQUIRE(fstat(memory.descriptor(), &status) == 0);
  const std::string inode = " " + std::to_string(status.st_ino) + " ";
  FILE* maps = fopen("/proc/self/maps", "re");
  REQUIRE(maps);
  int count = 0;
  char line[1024];
  while (fgets(line, sizeof line, maps))
    count += std::string(line).find(inode) != std::string::npos;
  fclose(maps);
  return count > 1;
}

} // namespace

TEST_CASE("A buffer of external memory is that memory, for kernels and commands", "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session session;
  constexpr size_t count = 5000, bytes = count * sizeof(cl_uint);
  for (const cl_mem_properties type : {opaque, dma_buf}) {
    const Shared memory(bytes);
    std::iota(memory.as<cl_uint>(), memory.as<cl_uint>() + count, 0u);
    const auto buffer = make_buffer(session.context, {type, property(memory.given()), 0}, bytes);
    const cl_mem object = buffer;
    REQUIRE_CL(acquire(session.queue, 1, &object));
    const auto kernel = session.kernel("kernel void k(global uint* v) { v[get_global_id(0)] += 7; }", "k");
    test::set_arguments(kernel, buffer);
    session.run(kernel, count);
    const cl_uint written = 12;
    REQUIRE_CL(clEnqueueWriteBuffer(session.queue, buffer, CL_TRUE, 4, 4, &written, 0, nullptr, nullptr));
    REQUIRE_CL(release(session.queue, 1, &object));
    REQUIRE_CL(clFinish(session.queue));
    CHECK(memory.as<cl_uint>()[0] == 7);
    CHECK(memory.as<cl_uint>()[1] == 12);
    CHECK(memory.as<cl_uint>()[count - 1] == count + 6);
    memory.as<cl_uint>()[2] = 99;
    CHECK(session.read<cl_uint>(buffer, 3) == std::vector<cl_uint>{7, 12, 99});
  }
}

TEST_CASE("External memory may be larger than its buffer, and is imported as often as one likes",
          "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session first, second;
  const Shared memory(10'000);
  const auto one = make_buffer(first.context, {opaque, property(memory.given()), 0}, 100);
  const auto other = make_buffer(second.context, {opaque, property(memory.given()), 0}, 10'000);
  const cl_uchar value = 5;
  REQUIRE_CL(clEnqueueFillBuffer(first.queue, one, &value, 1, 0, 100, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(first.queue));
  const auto bytes = second.read<cl_uchar>(other, 101);
  CHECK(std::count(bytes.begin(), bytes.end(), 5) == 100);
}

TEST_CASE("External memory: maps and sub-buffers", "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(8192);
  const auto buffer = make_buffer(session.context, {opaque, property(memory.given()), 0}, 8192);
  cl_int error = 1;
  auto* mapped = static_cast<cl_uint*>(clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_WRITE, 4096,
                                                          4096, 0, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  mapped[1] = 77;
  REQUIRE_CL(clEnqueueUnmapMemObject(session.queue, buffer, mapped, 0, nullptr, nullptr));
  const cl_buffer_region region{4096, 4096};
  test::Buffer part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  CHECK(session.read<cl_uint>(part, 2)[1] == 77);
  CHECK(memory.as<cl_uint>()[1025] == 77);
  // Commands do not take it for memory that can be given back.
  const cl_uint zero = 0;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &zero, 4, 0, 8192, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(memory.as<cl_uint>()[1025] == 0);
}

TEST_CASE("External memory is unmapped with the last reference, after the last command",
          "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  const int given = memory.given();
  auto buffer = make_buffer(session.context, {opaque, property(given), 0}, 4096);
  CHECK(fcntl(given, F_GETFD) < 0); // the driver's, which has no more need of it
  CHECK(is_mapped_twice(memory));
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  const cl_uchar value = 9;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &value, 1, 0, 4096, 1, &wait, nullptr));
  buffer.reset();
  CHECK(is_mapped_twice(memory));
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(memory.as<cl_uchar>()[4095] == 9);
  CHECK_FALSE(is_mapped_twice(memory));
}

TEST_CASE("The descriptor stays the application's if a call fails", "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session session;
  const Shared memory(4096);
  const int given = memory.given();
  CHECK_STATUS(buffer_error(session.context, {opaque, property(given), 0}, 4097), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(buffer_error(session.context, {opaque, property(given), 0}, 0), CL_INVALID_BUFFER_SIZE);
  CHECK(fcntl(given, F_GETFD) >= 0);
  CHECK_FALSE(is_mapped_twice(memory));
  close(given);
}

TEST_CASE("Images of external memory lie in it row by row, with pitches if they are given",
          "[external_memory]") {
  if (!has_external_memory()) return;
  const test::Session session;
  constexpr size_t width = 33, height = 7;
  for (const size_t pitch : {size_t{0}, size_t{256}}) {
    const size_t row = pitch ? pitch : width * 4;
    const Shared memory(row * height);
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x)
        memory.as<float>()[y * row / 4 + x] = static_cast<float>(100 * y + x);
    cl_image_desc description = test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height);
    description.image_row_pitch = pitch;
    const Properties list{dma_buf, property(memory.given()), 0};
    cl_int error = 1;
    const test::Buffer image(clCreateImageWithProperties(session.context, list.data(), 0, &test::r_float,
                                                         &description, nullptr, &error));
    REQUIRE_CL(error);
    size_t told = 0;
    CHECK_CL(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof told, &told, nullptr));
    CHECK(told == row);
    const cl_mem object = image;
    REQUIRE_CL(acquire(session.queue, 1, &object));
    const auto kernel = session.kernel(
        "kernel void k(read_write image2d_t i) { int2 at = (int2)(get_global_id(0), get_global_id(1));"
        " write_imagef(i, at, read_imagef(i, at) + 0.5f); }",
        "k", "-cl-std=CL3.0");
    test::set_arguments(kernel, image);
    session.run(kernel, {width, height});
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x)
        REQUIRE(memory.as<float>()[y * row / 4 + x] == static_cast<float>(100 * y + x) + 0.5f);
    REQUIRE_CL(release(session.queue, 1, &object));
    REQUIRE_CL(clFinish(session.queue));
  }
}

TEST_CASE("Memory that can only be read is for objects that nobody writes", "[external_memory]") {
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

TEST_CASE("Properties of external memory: each error", "[external_memory]") {
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

TEST_CASE("External memory and host pointers exclude each other", "[external_memory]") {
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

TEST_CASE("Images of external memory: too large, or of a buffer as well", "[external_memory]") {
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

TEST_CASE("CL_MEM_PROPERTIES tells the list, and queries of types the two handles", "[external_memory]") {
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

TEST_CASE("A buffer of external memory tells its device address", "[external_memory]") {
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
          "[external_memory]") {
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

TEST_CASE("External memory of one part of the device is acquired in its queues", "[external_memory]") {
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
