// Entry points and flags that later versions of OpenCL have under other names:
// cl_intel_create_buffer_with_properties, cl_intel_mem_force_host_memory.

#include "support/session.hpp"

#include <cstdlib>

namespace {

using Create = clCreateBufferWithPropertiesINTEL_fn;

} // namespace

TEST_CASE("clCreateBufferWithPropertiesINTEL: makes buffers, an unknown property is CL_INVALID_VALUE",
          "[older_extensions]") {
  if (!test::has_extension("cl_intel_create_buffer_with_properties")) return;
  const auto create = test::extension_function<Create>("clCreateBufferWithPropertiesINTEL");
  const test::Session session;
  const cl_mem_properties none[] = {0}, unknown[] = {0x1234, 1, 0};
  cl_int error = -1, value = 42;
  for (const cl_mem_properties* list : {static_cast<const cl_mem_properties*>(nullptr), none}) {
    const test::Buffer buffer(
        create(session.context, list, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error));
    REQUIRE_CL(error);
    CHECK(session.read<cl_int>(buffer, 1).front() == 42);
  }
  CHECK(create(session.context, unknown, 0, 64, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(create(nullptr, none, 0, 64, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(create(session.context, none, 0, 0, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("CL_MEM_FORCE_HOST_MEMORY_INTEL: host pointers are whole cache lines", "[older_extensions]") {
  if (!test::is_hostcl()) return; // which has it without listing it
  const test::Session session;
  const size_t line = test::device_value<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  const cl_mem_flags forced = CL_MEM_FORCE_HOST_MEMORY_INTEL, used = forced | CL_MEM_USE_HOST_PTR;
  auto* memory = static_cast<char*>(std::aligned_alloc(line, 4 * line));
  const auto status = [&](cl_mem_flags flags, size_t bytes, void* host) {
    cl_int error = -1;
    const test::Buffer buffer(clCreateBuffer(session.context, flags, bytes, host, &error));
    return error;
  };
  CHECK_CL(status(forced, 5, nullptr));
  CHECK_CL(status(forced | CL_MEM_COPY_HOST_PTR, 5, memory + 1));
  CHECK_CL(status(used, 2 * line, memory));
  CHECK_CL(status(CL_MEM_USE_HOST_PTR, line + 1, memory + 1));
  CHECK_STATUS(status(used, line, memory + 4), CL_INVALID_HOST_PTR);
  CHECK_STATUS(status(used, line + 4, memory), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(status(forced | CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, line, memory), CL_INVALID_VALUE);
  const test::Buffer parent = session.buffer(4096);
  const cl_buffer_region region{0, 64};
  cl_int error = -1;
  CHECK(clCreateSubBuffer(parent, forced, CL_BUFFER_CREATE_TYPE_REGION, &region, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  std::free(memory);
}
