// clCreatePipe, clGetPipeInfo (OpenCL 3.0 API, 5.4), and pipes in all that takes memory objects.

#include "support/pipes.hpp"

#include <atomic>

namespace {

struct Case {
  cl_mem_flags flags;
  cl_uint packet_bytes, max_packets;
  cl_int error;
};

const cl_uint largest_packet = 65536;

const char* reader = "kernel void k(read_only pipe int p, global int* out) { int v = -1; read_pipe(p, &v); "
                     "out[0] = v; }";

} // namespace

TEST_CASE("Pipes: the device tells of them", "[pipe]") {
  CHECK(test::device_value<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
  CHECK(test::device_value<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE);
  const test::Session session;
  CHECK_CL(session.try_build("#ifndef __opencl_c_pipes\n#error\n#endif\n", test::with_pipes));
  CHECK_STATUS(session.try_build("kernel void k(read_only pipe int p) {}", "-cl-std=CL1.2"),
               CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("clBuildProgram: a pipe is a parameter of a function, and nothing else", "[pipe]") {
  const test::Session session;
  for (const char* source : {
           "kernel void k(read_write pipe int p) {}",
           "kernel void k(read_only pipe int p) { pipe int q; }",
           "kernel void k(pipe int* p) {}",
           "typedef pipe int q; kernel void k(q* p) {}",
           "typedef pipe int q; kernel void k(q p[2]) {}",
           "typedef struct { pipe int p; } s;",
           "typedef union { int a; pipe int p; } s;",
           "pipe int p;",
           "pipe int f();",
           "kernel void k(reserve_id_t r) {}",
           "reserve_id_t r;",
           "kernel void k(read_only pipe int p) { int v; write_pipe(p, &v); }",
           "kernel void k(write_only pipe int p) { float v; write_pipe(p, &v); }",
       }) {
    CAPTURE(source);
    CHECK_STATUS(session.try_build(source, test::with_pipes), CL_BUILD_PROGRAM_FAILURE);
  }
}

TEST_CASE("clCreatePipe: what is wrong is said in the specification's order", "[pipe]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const cl_mem_flags both = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  cl_int error = 1;
  CHECK(clCreatePipe(nullptr, CL_MEM_READ_ONLY, 0, 0, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  const cl_pipe_properties none[] = {0};
  CHECK(clCreatePipe(session.context, both, 0, 0, none, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  for (const Case& c : {
           Case{CL_MEM_READ_ONLY, 0, 0, CL_INVALID_VALUE},
           Case{CL_MEM_WRITE_ONLY, 4, 1, CL_INVALID_VALUE},
           Case{CL_MEM_HOST_READ_ONLY, 4, 1, CL_INVALID_VALUE},
           Case{CL_MEM_HOST_WRITE_ONLY, 4, 1, CL_INVALID_VALUE},
           Case{CL_MEM_USE_HOST_PTR, 4, 1, CL_INVALID_VALUE},
           Case{CL_MEM_ALLOC_HOST_PTR, 4, 1, CL_INVALID_VALUE},
           Case{cl_mem_flags{1} << 6, 4, 1, CL_INVALID_VALUE}, // CL_MEM_IMMUTABLE_EXT
           Case{cl_mem_flags{1} << 40, 4, 1, CL_INVALID_VALUE},
           Case{0, 0, 1, CL_INVALID_PIPE_SIZE},
           Case{0, largest_packet + 1, 1, CL_INVALID_PIPE_SIZE},
           Case{0, ~0u, 1, CL_INVALID_PIPE_SIZE},
           Case{0, 4, 0, CL_INVALID_PIPE_SIZE},
           Case{0, largest_packet, ~0u, CL_MEM_OBJECT_ALLOCATION_FAILURE},
       }) {
    CAPTURE(c.flags, c.packet_bytes, c.max_packets);
    CHECK(clCreatePipe(session.context, c.flags, c.packet_bytes, c.max_packets, nullptr, &error) == nullptr);
    CHECK_STATUS(error, c.error);
    CHECK(clCreatePipe(session.context, c.flags, c.packet_bytes, c.max_packets, nullptr, nullptr) == nullptr);
  }
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}, both}) {
    const test::Buffer pipe(clCreatePipe(session.context, flags, largest_packet, 1, nullptr, &error));
    CHECK_CL(error);
  }
}

TEST_CASE("clGetPipeInfo, clGetMemObjectInfo: a pipe is as it was created", "[pipe]") {
  const test::Session session;
  const test::Buffer pipe = test::make_pipe(session.context, 12, 345);
  cl_uint number = 0;
  size_t size = 99;
  CHECK_CL(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
  CHECK(number == 12);
  CHECK(size == sizeof number);
  CHECK_CL(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, nullptr));
  CHECK(number == 345);
  CHECK_CL(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size));
  CHECK(size == 0);
  CHECK_STATUS(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &number, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clGetPipeInfo(pipe, CL_MEM_SIZE, sizeof number, &number, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clGetPipeInfo(session.buffer(64), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);

  auto value = [&]<class T>(cl_mem_info name, T initial) {
    CHECK_CL(clGetMemObjectInfo(pipe, name, sizeof initial, &initial, nullptr));
    return initial;
  };
  CHECK(value(CL_MEM_TYPE, cl_mem_object_type{}) == CL_MEM_OBJECT_PIPE);
  CHECK(value(CL_MEM_FLAGS, cl_mem_flags{}) == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
  CHECK(value(CL_MEM_SIZE, size_t{}) >= 12 * 345);
  CHECK(value(CL_MEM_HOST_PTR, &size) == nullptr);
  CHECK(value(CL_MEM_MAP_COUNT, 1u) == 0);
  CHECK(value(CL_MEM_REFERENCE_COUNT, 0u) == 1);
  CHECK(value(CL_MEM_CONTEXT, cl_context{}) == session.context);
  CHECK(value(CL_MEM_ASSOCIATED_MEMOBJECT, pipe.get()) == nullptr);
  CHECK(value(CL_MEM_OFFSET, size_t{1}) == 0);
  CHECK(value(CL_MEM_USES_SVM_POINTER, cl_bool{CL_TRUE}) == CL_FALSE);
  CHECK_CL(clGetMemObjectInfo(pipe, CL_MEM_PROPERTIES, 0, nullptr, &size));
  CHECK(size == 0);
}

TEST_CASE("Pipes: commands on buffers and images refuse them", "[pipe]") {
  const test::Session session;
  const test::Buffer pipe = test::make_pipe(session.context, 4, 64), buffer = session.buffer(256);
  const cl_command_queue q = session.queue;
  int data[16] = {};
  const size_t origin[3] = {}, region[3] = {4, 1, 1};
  CHECK_STATUS(clEnqueueReadBuffer(q, pipe, CL_TRUE, 0, 4, data, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueWriteBuffer(q, pipe, CL_TRUE, 0, 4, data, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueReadBufferRect(q, pipe, CL_TRUE, origin, origin, region, 0, 0, 0, 0, data, 0, nullptr,
                                       nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBuffer(q, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBuffer(q, buffer, pipe, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueFillBuffer(q, pipe, data, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueReadImage(q, pipe, CL_TRUE, origin, region, 0, 0, data, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBufferToImage(q, buffer, pipe, 0, origin, region, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueUnmapMemObject(q, pipe, data, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  cl_int error = 1;
  CHECK(clEnqueueMapBuffer(q, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region part{0, 4};
  CHECK(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clGetImageInfo(pipe, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = 4;
  description.mem_object = pipe;
  CHECK(clCreateImage(session.context, 0, &format, &description, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("clSetKernelArg: a pipe takes a pipe of the context, and nothing else", "[pipe]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(reader, "k", test::with_pipes);
  const test::Buffer pipe = test::make_pipe(session.context, 4, 4), buffer = session.buffer(64);
  CHECK_CL(test::set_argument(kernel, 0, pipe));
  CHECK_STATUS(test::set_argument(kernel, 0, buffer), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(test::set_argument(kernel, 1, pipe), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
  const cl_mem none = nullptr;
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof none, &none), CL_INVALID_MEM_OBJECT);
  const cl_mem handle = pipe;
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &handle), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(clSetKernelArgSVMPointer(kernel, 0, &handle), CL_INVALID_ARG_VALUE);
  const test::Session other;
  CHECK_STATUS(test::set_argument(kernel, 0, test::make_pipe(other.context, 4, 4)), CL_INVALID_CONTEXT);

  // What failed has changed nothing.
  test::set_arguments(kernel, pipe, buffer);
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == -1);
}

TEST_CASE("clGetKernelArgInfo: pipes have access and type qualifiers", "[pipe]") {
  const test::Session session;
  const test::Kernel kernel =
      session.kernel("typedef struct { int a, b; } pair;"
                     "kernel void k(pipe int a, read_only pipe float4 b, write_only pipe pair c) {}",
                     "k", "-cl-std=CL3.0 -cl-kernel-arg-info");
  const char* const types[] = {"int", "float4", "pair"};
  const cl_kernel_arg_access_qualifier accesses[] = {
      CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY};
  for (cl_uint i = 0; i < 3; ++i) {
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_type_qualifier type = 0;
    char name[32] = {};
    CHECK_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr));
    CHECK_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, nullptr));
    CHECK_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr));
    CHECK(access == accesses[i]);
    CHECK(type == CL_KERNEL_ARG_TYPE_PIPE);
    CHECK(std::string(name) == types[i]);
  }
}

TEST_CASE("Pipes: kernels do not keep them alive, launches do", "[pipe]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(reader, "k", test::with_pipes);
  const test::Buffer out = session.buffer(4);
  test::Buffer pipe = test::make_pipe(session.context, 4, 4);
  std::atomic<int> destroyed = 0;
  auto note = [](cl_mem, void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  REQUIRE_CL(clSetMemObjectDestructorCallback(pipe, note, &destroyed));
  test::set_arguments(kernel, pipe, out);
  const test::Event gate = test::user_event(session.context);
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1,
                                    &static_cast<const cl_event&>(gate.get()), nullptr));
  pipe.reset();
  CHECK(destroyed == 0);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(destroyed == 1);
  CHECK(session.read<int>(out, 1)[0] == -1);
  CHECK_STATUS(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               CL_INVALID_KERNEL_ARGS);
  // The slot of the pipe may get another one, which the kernel was not given.
  const test::Buffer next = test::make_pipe(session.context, 4, 4);
  CHECK_STATUS(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("Pipes: they are memory objects that are retained, released and migrated", "[pipe]") {
  const test::Session session;
  test::Buffer pipe = test::make_pipe(session.context, 4, 4);
  CHECK_CL(clRetainMemObject(pipe));
  CHECK_CL(clReleaseMemObject(pipe));
  const cl_mem handle = pipe;
  CHECK_CL(clEnqueueMigrateMemObjects(session.queue, 1, &handle, 0, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
  void* gone = test::released(std::move(pipe));
  CHECK_STATUS(clGetPipeInfo(static_cast<cl_mem>(gone), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}

TEST_CASE("clCloneKernel: the copy has the same pipe", "[pipe]") {
  const test::Session session;
  const test::Program program = session.build(
      "kernel void w(write_only pipe int p) { int v = 7; write_pipe(p, &v); }", test::with_pipes);
  const test::Kernel kernel = session.kernel(program, "w");
  const test::Buffer pipe = test::make_pipe(session.context, 4, 4);
  test::set_arguments(kernel, pipe);
  cl_int error = 1;
  const test::Kernel copy(clCloneKernel(kernel, &error));
  REQUIRE_CL(error);
  session.run(copy, 2);
  session.run(kernel, 1);
  CHECK(test::drain<int>(session, pipe, "int", 4) == std::vector<int>{7, 7, 7});
}
