// cl_khr_external_memory with cl_khr_external_memory_opaque_fd and cl_khr_external_memory_dma_buf. A dma-buf
// needs a device that makes one; its handle takes any memory that can be mapped.

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

namespace {

using namespace test::shared_memory;

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
