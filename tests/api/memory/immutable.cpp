// Memory objects that nothing changes (cl_ext_immutable_memory_objects); images are in image_create.cpp and
// image_errors.cpp.

#include "support/session.hpp"

namespace {

constexpr cl_mem_flags immutable = 1 << 6; // CL_MEM_IMMUTABLE_EXT, which older headers lack

int numbers[4] = {1, 2, 3, 4};

cl_int status_of(const test::Session& s, cl_mem_flags flags, void* host = numbers) {
  cl_int error = 1;
  const test::Buffer buffer(clCreateBuffer(s.context, flags, sizeof(numbers), host, &error));
  return error;
}

} // namespace

TEST_CASE("clCreateBuffer: an immutable buffer has contents and no access to write", "[immutable]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  CHECK_STATUS(status_of(s, immutable, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(status_of(s, immutable | CL_MEM_ALLOC_HOST_PTR, nullptr), CL_INVALID_VALUE);
  for (cl_mem_flags write : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    CHECK_STATUS(status_of(s, immutable | CL_MEM_COPY_HOST_PTR | write), CL_INVALID_VALUE);
  CHECK_CL(status_of(s, immutable | CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY));
  CHECK_CL(status_of(s, immutable | CL_MEM_USE_HOST_PTR));
}

TEST_CASE("Commands that write to an immutable buffer are CL_INVALID_OPERATION, and others read it",
          "[immutable]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto buffer = s.buffer(sizeof(numbers), immutable | CL_MEM_COPY_HOST_PTR, numbers);
  const auto other = s.buffer(sizeof(numbers));
  const size_t origin[3] = {}, region[3] = {4, 1, 1};
  const auto check = [](cl_int code) { CHECK_STATUS(code, CL_INVALID_OPERATION); };
  cl_int error = 1, value = 0;
  check(clEnqueueWriteBuffer(s.queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  check(clEnqueueWriteBufferRect(s.queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, &value, 0,
                                 nullptr, nullptr));
  check(clEnqueueCopyBuffer(s.queue, other, buffer, 0, 0, 4, 0, nullptr, nullptr));
  check(clEnqueueCopyBufferRect(s.queue, other, buffer, origin, origin, region, 0, 0, 0, 0, 0, nullptr,
                                nullptr));
  check(clEnqueueFillBuffer(s.queue, buffer, &value, 4, 0, 4, 0, nullptr, nullptr));
  for (cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    CHECK(!clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, flags, 0, 4, 0, nullptr, nullptr, &error));
    check(error);
  }
  CHECK_CL(clEnqueueCopyBuffer(s.queue, buffer, other, 0, 0, sizeof(numbers), 0, nullptr, nullptr));
  CHECK(s.read<int>(buffer, 4) == std::vector<int>{1, 2, 3, 4});
  CHECK(s.read<int>(other, 4) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("A sub-buffer of an immutable buffer is immutable, an image has to say so", "[immutable]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto buffer = s.buffer(sizeof(numbers), immutable | CL_MEM_COPY_HOST_PTR, numbers);
  const cl_buffer_region region{0, 8};
  cl_int error = 1, value = 0;
  const test::Buffer part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  CHECK_STATUS(clEnqueueWriteBuffer(s.queue, part, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
               CL_INVALID_OPERATION);
  CHECK(!clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  CHECK_STATUS(error, CL_INVALID_VALUE);
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = 4;
  description.buffer = buffer;
  CHECK(!clCreateImage(s.context, 0, &format, &description, nullptr, &error));
  CHECK_STATUS(error, CL_INVALID_VALUE);
  const test::Buffer image(clCreateImage(s.context, immutable, &format, &description, nullptr, &error));
  CHECK_CL(error);
}

TEST_CASE("clSetKernelArg: an immutable buffer is for const arguments alone", "[immutable]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto kernel =
      s.kernel("kernel void k(constant int* c, global const int* r, global int* w, global const int* const "
               "restrict q) { *w = *c + *r + *q; }",
               "k");
  const auto fixed = s.buffer(sizeof(numbers), immutable | CL_MEM_COPY_HOST_PTR, numbers);
  const auto sum = s.buffer(sizeof(int));
  for (cl_uint i : {0, 1, 3})
    CHECK_CL(test::set_argument(kernel, i, fixed));
  CHECK_STATUS(test::set_argument(kernel, 2, fixed), CL_INVALID_ARG_VALUE);
  CHECK_CL(test::set_argument(kernel, 2, sum));
  s.run(kernel, 1);
  CHECK(s.read<int>(sum, 1) == std::vector<int>{3});
}
