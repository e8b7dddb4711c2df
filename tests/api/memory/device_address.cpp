// cl_ext_buffer_device_address 1.0.2

#include "support/session.hpp"

#include <atomic>

namespace {

// Debian's headers are older than the extension.
constexpr cl_mem_properties private_address = 0x5000;
constexpr cl_mem_info device_address = 0x5001;
constexpr cl_kernel_exec_info device_pointers = 0x5002;
using SetDevicePointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);

SetDevicePointer set_device_pointer() {
  return test::extension_function<SetDevicePointer>("clSetKernelArgDevicePointerEXT");
}

bool has_extension() {
  return test::has_extension("cl_ext_buffer_device_address");
}

test::Buffer make_buffer(const test::Session& session, size_t bytes,
                         std::vector<cl_mem_properties> properties = {private_address, CL_TRUE, 0},
                         cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) {
  cl_int error = CL_SUCCESS;
  test::Buffer buffer(
      clCreateBufferWithProperties(session.context, properties.data(), flags, bytes, host, &error));
  REQUIRE_CL(error);
  return buffer;
}

cl_ulong address_of(cl_mem buffer) {
  cl_ulong address = 0;
  size_t size = 0;
  REQUIRE_CL(clGetMemObjectInfo(buffer, device_address, sizeof address, &address, &size));
  CHECK(size == sizeof address);
  REQUIRE(address);
  return address;
}

} // namespace

TEST_CASE("A buffer with the property tells its address, which stays", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto buffer = make_buffer(session, 4096);
  const cl_ulong address = address_of(buffer);
  const int zero = 0;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &zero, 4, 0, 4096, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(address_of(buffer) == address);
  cl_mem_properties properties[4] = {};
  size_t size = 0;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof properties, properties, &size));
  CHECK(size == 3 * sizeof(cl_mem_properties));
  CHECK(properties[0] == private_address);
  CHECK(properties[1] == CL_TRUE);
}

TEST_CASE("The address of a buffer over SVM is the SVM pointer", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  void* svm = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 4096, 0);
  REQUIRE(svm);
  {
    const auto buffer = make_buffer(session, 4096, {private_address, CL_TRUE, 0}, CL_MEM_USE_HOST_PTR, svm);
    CHECK(address_of(buffer) == reinterpret_cast<cl_ulong>(svm));
  }
  clSVMFree(session.context, svm);
}

TEST_CASE("The address of a buffer without the property is CL_INVALID_OPERATION", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  cl_ulong address = 0;
  for (const auto& buffer :
       {session.buffer(64), make_buffer(session, 64, {0}), make_buffer(session, 64, {private_address, 0, 0})})
    CHECK_STATUS(clGetMemObjectInfo(buffer, device_address, sizeof address, &address, nullptr),
                 CL_INVALID_OPERATION);
}

TEST_CASE("Wrong and repeated properties are CL_INVALID_PROPERTY", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  for (const std::vector<cl_mem_properties>& wrong : {std::vector<cl_mem_properties>{private_address, 2, 0},
                                                      {private_address, 1, private_address, 1, 0},
                                                      {0x7777, 1, 0}}) {
    cl_int error = CL_SUCCESS;
    CHECK(clCreateBufferWithProperties(session.context, wrong.data(), 0, 64, nullptr, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_PROPERTY);
  }
}

TEST_CASE("clSetKernelArgDevicePointerEXT: kernels use addresses and offsets from them", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto buffer = make_buffer(session, 4096);
  const auto kernel =
      session.kernel("kernel void k(global int* v) { v[get_global_id(0)] = get_global_id(0); }", "k");
  REQUIRE_CL(set_device_pointer()(kernel, 0, address_of(buffer) + 16));
  session.run(kernel, 1000);
  const auto values = session.read<int>(buffer, 1000, 4);
  for (int i = 0; i < 1000; ++i)
    REQUIRE(values[i] == i);
}

TEST_CASE("clSetKernelArgDevicePointerEXT: each error of its list", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto kernel =
      session.kernel("kernel void k(global int* v, int n, constant int* c, local int* l) {}", "k");
  const auto set = set_device_pointer();
  CHECK_CL(set(kernel, 0, 0));
  CHECK_CL(set(kernel, 0, 0x123456)); // not dereferenced
  CHECK_STATUS(set(nullptr, 0, 0), CL_INVALID_KERNEL);
  CHECK_STATUS(set(kernel, 4, 0), CL_INVALID_ARG_INDEX);
  CHECK_STATUS(set(kernel, 1, 0), CL_INVALID_ARG_INDEX);
  CHECK_STATUS(set(kernel, 2, 0), CL_INVALID_ARG_INDEX);
  CHECK_STATUS(set(kernel, 3, 0), CL_INVALID_ARG_INDEX);
}

TEST_CASE("clSetKernelExecInfo: buffers behind pointers are reached", "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto inner = make_buffer(session, 64), out = make_buffer(session, 64);
  const int value = 31;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, inner, &value, 4, 0, 64, 0, nullptr, nullptr));
  const std::vector<cl_ulong> pointers = {address_of(inner) + 32};
  const auto table = session.buffer(pointers);
  const auto kernel = session.kernel(
      "kernel void k(global ulong* table, global int* out) { *out = *(global int*)table[0]; }", "k");
  test::set_arguments(kernel, table, out);
  CHECK_CL(clSetKernelExecInfo(kernel, device_pointers, 8, pointers.data()));
  CHECK_STATUS(clSetKernelExecInfo(kernel, device_pointers, 7, pointers.data()), CL_INVALID_VALUE);
  CHECK_STATUS(clSetKernelExecInfo(kernel, device_pointers, 8, nullptr), CL_INVALID_VALUE);
  session.run(kernel, 1);
  CHECK(session.read<int>(out, 1)[0] == 31);
}

namespace {

void CL_CALLBACK note_end(cl_mem, void* flag) {
  *static_cast<std::atomic<bool>*>(flag) = true;
}

/// Enqueues the kernel after a gate and releases the buffer, which has to live until the kernel has run.
void check_lives_with_launch(const test::Session& session, cl_kernel kernel, test::Buffer buffer) {
  std::atomic<bool> is_gone = false;
  REQUIRE_CL(clSetMemObjectDestructorCallback(buffer, note_end, &is_gone));
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &wait, nullptr));
  buffer.reset();
  CHECK_FALSE(is_gone);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
  CHECK(is_gone);
}

} // namespace

TEST_CASE("clSetKernelArgDevicePointerEXT: a buffer lives until launches that have its address are complete",
          "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* v) { *v = 1; }", "k");
  auto buffer = make_buffer(session, 4096);
  REQUIRE_CL(set_device_pointer()(kernel, 0, address_of(buffer) + 4092));
  check_lives_with_launch(session, kernel, std::move(buffer));
}

TEST_CASE("clSetKernelArgDevicePointerEXT: an address that is not valid any more is no error",
          "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* v, global int* unused) { *v = 1; }", "k");
  auto buffer = make_buffer(session, 4096);
  const auto out = session.buffer(std::vector<int>{0});
  REQUIRE_CL(test::set_argument(kernel, 0, out));
  REQUIRE_CL(set_device_pointer()(kernel, 1, address_of(buffer)));
  buffer.reset();
  session.run(kernel, 1);
  CHECK(session.read<int>(out, 1)[0] == 1);
}

TEST_CASE("clSetKernelExecInfo: a buffer lives until launches that reach it are complete",
          "[device_address]") {
  if (!has_extension()) return;
  const test::Session session;
  const auto kernel =
      session.kernel("kernel void k(global ulong* table) { *(global int*)table[0] = 1; }", "k");
  auto inner = make_buffer(session, 4096);
  std::vector<cl_ulong> pointers(20, address_of(inner) + 32);
  const auto table = session.buffer(pointers);
  REQUIRE_CL(test::set_argument(kernel, 0, table));
  REQUIRE_CL(clSetKernelExecInfo(kernel, device_pointers, 20 * sizeof(cl_ulong), pointers.data()));
  cl_int error = 1;
  const test::Kernel clone(clCloneKernel(kernel, &error));
  REQUIRE_CL(error);
  REQUIRE_CL(clSetKernelExecInfo(kernel, device_pointers, 0, nullptr));
  check_lives_with_launch(session, clone, std::move(inner));
}
