// CL_MEM_USE_HOST_PTR (OpenCL 3.0 API, 5.2.1, 5.2.4, 5.3.6): the host sees and changes an object at host_ptr while it is
// mapped. The storage may be elsewhere, so nothing is assumed of host_ptr at other times.

#include "support/images.hpp"

namespace {

constexpr const char* source = R"(
kernel void add(global int* values, int number) { values[get_global_id(0)] += number; }
kernel void sum(global const int* values, int count, global int* result) {
  *result = 0;
  for (int i = 0; i < count; ++i) *result += values[i];
}
kernel void invert(read_write image2d_t image) {
  const int2 at = {get_global_id(0), get_global_id(1)};
  write_imageui(image, at, 255 - read_imageui(image, at));
})";

constexpr cl_image_format r8{CL_R, CL_UNSIGNED_INT8};

struct World {
  test::Session s;
  test::Program program = s.build(source, "-cl-std=CL2.0");

  void add(cl_mem values, int number, size_t count) const {
    const auto kernel = s.kernel(program, "add");
    test::set_arguments(kernel, values, number);
    s.run(kernel, count);
  }
  int sum(cl_mem values, int count) const {
    const auto kernel = s.kernel(program, "sum");
    const auto result = s.buffer(4);
    test::set_arguments(kernel, values, count, result);
    s.run(kernel, 1);
    return s.read<int>(result, 1)[0];
  }
  int* map(cl_mem buffer, cl_map_flags flags, size_t first, size_t count) const {
    cl_int error = 1;
    void* mapped = clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, flags, first * 4, count * 4, 0, nullptr,
                                      nullptr, &error);
    REQUIRE_CL(error);
    return static_cast<int*>(mapped);
  }
  void unmap(cl_mem object, void* mapped) const {
    REQUIRE_CL(clEnqueueUnmapMemObject(s.queue, object, mapped, 0, nullptr, nullptr));
  }
};

} // namespace

TEST_CASE("CL_MEM_USE_HOST_PTR: the memory has a region's latest contents while it is mapped",
          "[host_pointer]") {
  const World w;
  std::vector<int> memory{1, 2, 3, 4, 5, 6, 7, 8};
  const auto buffer = w.s.buffer(32, CL_MEM_USE_HOST_PTR, memory.data());
  for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE}) {
    w.add(buffer, 10, 8);
    int* const part = w.map(buffer, flags, 2, 3);
    CHECK(part == memory.data() + 2);
    const int added = memory[4] - 5;
    CHECK(std::vector<int>(part, part + 3) == std::vector<int>{3 + added, 4 + added, 5 + added});
    w.unmap(buffer, part);
  }
  CHECK(memory[4] == 35);
  CHECK(w.s.read<int>(buffer, 8) == std::vector<int>{31, 32, 33, 34, 35, 36, 37, 38});
}

TEST_CASE("CL_MEM_USE_HOST_PTR: what the host writes while a region is mapped is the object's",
          "[host_pointer]") {
  const World w;
  std::vector<int> memory(8, 1);
  const auto buffer = w.s.buffer(32, CL_MEM_USE_HOST_PTR, memory.data());
  int* const written = w.map(buffer, CL_MAP_WRITE, 0, 2);
  int* const replaced = w.map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 4, 2);
  int* const read = w.map(buffer, CL_MAP_READ, 6, 2);
  written[1] = 100; // the first one keeps its value
  replaced[0] = 1000, replaced[1] = 2000;
  CHECK(read[1] == 1);
  w.unmap(buffer, written);
  w.unmap(buffer, read);
  w.unmap(buffer, replaced);
  CHECK(w.sum(buffer, 8) == 1 + 100 + 2 + 3000 + 2);
}

TEST_CASE("CL_MEM_USE_HOST_PTR: maps and unmaps take part in the order of the queue", "[host_pointer]") {
  const World w;
  std::vector<int> memory(1024, 1);
  const auto buffer = w.s.buffer(4096, CL_MEM_USE_HOST_PTR, memory.data());
  const auto add = w.s.kernel(w.program, "add");
  test::set_arguments(add, buffer, 1);
  const size_t count = 1024;
  for (int round = 0; round < 20; ++round) {
    REQUIRE_CL(clEnqueueNDRangeKernel(w.s.queue, add, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
    test::Event event;
    cl_int error = 1;
    void* mapped = clEnqueueMapBuffer(w.s.queue, buffer, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, 4096, 0,
                                      nullptr, event.address(), &error);
    REQUIRE_CL(error);
    REQUIRE_CL(test::wait(event));
    CHECK(memory[1023] == 2 + 2 * round);
    for (int& value : memory)
      ++value;
    w.unmap(buffer, mapped);
  }
  CHECK(w.s.read<int>(buffer, 1024) == std::vector<int>(1024, 41));
}

TEST_CASE("CL_MEM_USE_HOST_PTR: sub-buffers are mapped in the parent's memory", "[host_pointer]") {
  const World w;
  std::vector<int> memory(256, 1);
  const auto parent = w.s.buffer(1024, CL_MEM_USE_HOST_PTR, memory.data());
  const cl_buffer_region region{512, 256};
  cl_int error = 1;
  const test::Buffer part(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  void* pointer = nullptr;
  REQUIRE_CL(clGetMemObjectInfo(part, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr));
  CHECK(pointer == memory.data() + 128);
  w.add(part, 5, 64);
  int* const mapped = w.map(part, CL_MAP_READ | CL_MAP_WRITE, 1, 2);
  CHECK(mapped == memory.data() + 129);
  CHECK(mapped[1] == 6);
  mapped[1] = 50;
  w.unmap(part, mapped);
  CHECK(w.sum(parent, 256) == 192 + 63 * 6 + 50);
}

TEST_CASE("CL_MEM_USE_HOST_PTR: reads into the memory itself, and writes from there", "[host_pointer]") {
  const World w;
  std::vector<int> memory(8, 1);
  const auto buffer = w.s.buffer(32, CL_MEM_USE_HOST_PTR, memory.data());
  w.add(buffer, 1, 8);
  REQUIRE_CL(clEnqueueReadBuffer(w.s.queue, buffer, CL_TRUE, 8, 8, memory.data() + 2, 0, nullptr, nullptr));
  CHECK(memory[3] == 2);
  memory[2] = 7;
  REQUIRE_CL(clEnqueueWriteBuffer(w.s.queue, buffer, CL_TRUE, 8, 8, memory.data() + 2, 0, nullptr, nullptr));
  CHECK(w.sum(buffer, 8) == 7 * 2 + 7);
}

TEST_CASE("CL_MEM_USE_HOST_PTR: shared virtual memory is the storage itself", "[host_pointer][svm]") {
  const World w;
  if (!test::device_value<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES)) return;
  int* const memory = static_cast<int*>(clSVMAlloc(w.s.context, CL_MEM_READ_WRITE, 64, 0));
  REQUIRE(memory);
  REQUIRE_CL(clEnqueueSVMMap(w.s.queue, CL_TRUE, CL_MAP_WRITE, memory, 64, 0, nullptr, nullptr));
  std::fill_n(memory, 16, 3);
  REQUIRE_CL(clEnqueueSVMUnmap(w.s.queue, memory, 0, nullptr, nullptr));
  {
    const auto buffer = w.s.buffer(64, CL_MEM_USE_HOST_PTR, memory);
    w.add(buffer, 4, 16);
    REQUIRE_CL(clEnqueueSVMMap(w.s.queue, CL_TRUE, CL_MAP_READ, memory, 64, 0, nullptr, nullptr));
    CHECK(memory[15] == 7);
    REQUIRE_CL(clEnqueueSVMUnmap(w.s.queue, memory, 0, nullptr, nullptr));
    const auto kernel = w.s.kernel(w.program, "add");
    REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, memory));
    REQUIRE_CL(test::set_argument(kernel, 1, 2));
    w.s.run(kernel, 16);
    CHECK(w.s.read<int>(buffer, 16) == std::vector<int>(16, 9));
  }
  clSVMFree(w.s.context, memory);
}

TEST_CASE("CL_MEM_USE_HOST_PTR: images with gaps between their rows", "[host_pointer][images]") {
  const World w;
  constexpr size_t width = 5, height = 3, pitch = 16;
  std::vector<unsigned char> memory(pitch * height, 9);
  auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height);
  description.image_row_pitch = pitch;
  const auto image = test::make_image(w.s.context, r8, description, CL_MEM_USE_HOST_PTR, memory.data());
  const auto invert = w.s.kernel(w.program, "invert");
  test::set_arguments(invert, image);
  w.s.run(invert, test::Range(width, height));

  const size_t origin[3] = {1, 1, 0}, region[3] = {3, 2, 1};
  size_t row_pitch = 0;
  cl_int error = 1;
  void* const mapped = clEnqueueMapImage(w.s.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                         region, &row_pitch, nullptr, 0, nullptr, nullptr, &error);
  REQUIRE_CL(error);
  CHECK(row_pitch == pitch);
  CHECK(mapped == memory.data() + pitch + 1);
  CHECK(memory[2 * pitch + 3] == 246);
  CHECK(memory[2 * pitch + width] == 9); // between the rows
  memory[2 * pitch + 3] = 1;
  w.unmap(image, mapped);
  w.s.run(invert, test::Range(width, height));
  std::vector<unsigned char> texels(width * height), expected(width * height, 9);
  expected[2 * width + 3] = 254;
  const size_t all[3] = {width, height, 1}, zero[3] = {};
  REQUIRE_CL(
      clEnqueueReadImage(w.s.queue, image, CL_TRUE, zero, all, 0, 0, texels.data(), 0, nullptr, nullptr));
  CHECK(texels == expected);
}

TEST_CASE("CL_MEM_USE_HOST_PTR: layers and slices with a pitch, and an image of a buffer",
          "[host_pointer][images]") {
  const World w;
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    const bool is_1d = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    auto description = test::image_of(type, 4, 2, 2);
    description.image_row_pitch = 8;
    description.image_slice_pitch = is_1d ? 8 : 32;
    std::vector<unsigned char> memory(64, 7);
    const auto image = test::make_image(w.s.context, r8, description, CL_MEM_USE_HOST_PTR, memory.data());
    const cl_uint color[4] = {42, 0, 0, 0};
    const size_t origin[3] = {1, 1, is_1d ? 0u : 1u}, region[3] = {2, 1, 1};
    REQUIRE_CL(clEnqueueFillImage(w.s.queue, image, color, origin, region, 0, nullptr, nullptr));
    const size_t zero[3] = {}, all[3] = {4, 2, is_1d ? 1u : 2u};
    size_t row_pitch = 0, slice_pitch = 0;
    cl_int error = 1;
    void* const mapped = clEnqueueMapImage(w.s.queue, image, CL_TRUE, CL_MAP_READ, zero, all, &row_pitch,
                                           &slice_pitch, 0, nullptr, nullptr, &error);
    REQUIRE_CL(error);
    CHECK(mapped == memory.data());
    CHECK(slice_pitch == description.image_slice_pitch);
    std::vector<unsigned char> expected(64, 7);
    const size_t place = is_1d ? 9 : 41;
    expected[place] = expected[place + 1] = 42;
    CHECK(memory == expected);
    w.unmap(image, mapped);
  }
  std::vector<int> memory(16, 1);
  const auto buffer = w.s.buffer(64, CL_MEM_USE_HOST_PTR, memory.data());
  auto description = test::image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  description.mem_object = buffer;
  const auto image = test::make_image(w.s.context, {CL_R, CL_SIGNED_INT32}, description);
  w.add(buffer, 1, 16);
  const size_t origin[3] = {3, 0, 0}, region[3] = {2, 1, 1};
  size_t row_pitch = 0;
  cl_int error = 1;
  void* const mapped = clEnqueueMapImage(w.s.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                         region, &row_pitch, nullptr, 0, nullptr, nullptr, &error);
  REQUIRE_CL(error);
  CHECK(mapped == memory.data() + 3);
  CHECK(memory[4] == 2);
  memory[4] = 20;
  w.unmap(image, mapped);
  CHECK(w.sum(buffer, 16) == 15 * 2 + 20);
}
