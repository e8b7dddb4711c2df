// Sequences of calls of the API with arguments that need not be valid: each byte chooses a call, the next ones its
// objects and numbers. Objects are handles that were created, NULL or released ones.

#include "support/choice.hpp"
#include "target.hpp"

#include <CL/cl.h>

#include <array>
#include <cstring>

namespace {

constexpr const char* source = "kernel void k(global int* v, int n, local int* l) {\n"
                               "  size_t i = get_global_id(0);\n"
                               "  l[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "  if (i < 64) v[i] = l[0]; }";

/// The input, byte by byte; zeros after its end.
class Bytes {
public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool is_empty() const { return size_ == 0; }
  std::uint8_t next() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  /// Numbers of all sizes: most are small.
  std::size_t number() {
    constexpr std::array<std::size_t, 8> special = {
        0, 1, 64, 256, 4096, ~std::size_t{0}, ~std::size_t{0} / 2, 1u << 31};
    const std::uint8_t byte = next();
    return byte < 128 ? byte : special[byte % special.size()];
  }

private:
  const std::uint8_t* data_;
  std::size_t size_;
};

/// Handles of one kind. A released one stays for a while, as in an application that has lost track.
template <class Handle>
class Handles {
public:
  void keep(Handle handle) {
    if (handle) handles_[next_++ % handles_.size()] = handle;
  }
  Handle any(Bytes& bytes) const { return handles_[bytes.next() % handles_.size()]; }

private:
  std::array<Handle, 6> handles_{};
  std::size_t next_ = 0;
};

struct World {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  cl_kernel kernel = nullptr;
  World() {
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    kernel = clCreateKernel(program, "k", nullptr);
  }
};

struct Objects {
  Handles<cl_mem> memory;
  Handles<cl_event> events;
  Handles<cl_kernel> kernels;
};

void create(const World& world, Objects& objects, Bytes& bytes) {
  cl_int error = 0;
  switch (bytes.next() % 4) {
  case 0:
    objects.memory.keep(clCreateBuffer(world.context, bytes.number(), bytes.number(), nullptr, &error));
    break;
  case 1: {
    const cl_buffer_region region{bytes.number(), bytes.number()};
    objects.memory.keep(clCreateSubBuffer(objects.memory.any(bytes), bytes.number(),
                                          CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    break;
  }
  case 2:
    objects.kernels.keep(clCreateKernel(world.program, bytes.next() % 4 ? "k" : "other", &error));
    break;
  default:
    objects.events.keep(clCreateUserEvent(world.context, &error));
  }
}

void release(Objects& objects, Bytes& bytes) {
  switch (bytes.next() % 3) {
  case 0:
    clReleaseMemObject(objects.memory.any(bytes));
    break;
  case 1:
    clReleaseKernel(objects.kernels.any(bytes));
    break;
  default: {
    // A user event that is never completed would keep commands waiting.
    cl_event event = objects.events.any(bytes);
    clSetUserEventStatus(event, bytes.next() % 2 ? CL_COMPLETE : -1);
    clReleaseEvent(event);
  }
  }
}

void enqueue(const World& world, Objects& objects, Bytes& bytes) {
  std::array<char, 256> data{};
  const std::size_t size = bytes.number() % data.size(), offset = bytes.number();
  const cl_event wait = objects.events.any(bytes);
  const cl_uint waits = bytes.next() % 2;
  cl_event event = nullptr;
  cl_mem memory = objects.memory.any(bytes);
  switch (bytes.next() % 5) {
  case 0:
    clEnqueueWriteBuffer(world.queue, memory, CL_FALSE, offset, 0, data.data(), waits, &wait, &event);
    break;
  case 1:
    clEnqueueFillBuffer(world.queue, memory, data.data(), 4, offset, size, waits, &wait, &event);
    break;
  case 2:
    clEnqueueCopyBuffer(world.queue, memory, objects.memory.any(bytes), offset, bytes.number(), size, waits,
                        &wait, &event);
    break;
  case 3: {
    const std::size_t global = bytes.number() % 4096, local = bytes.number();
    cl_kernel kernel = objects.kernels.any(bytes);
    clEnqueueNDRangeKernel(world.queue, kernel, bytes.next() % 5, nullptr, &global, &local, waits, &wait,
                           &event);
    break;
  }
  default:
    clEnqueueMarkerWithWaitList(world.queue, waits, &wait, &event);
  }
  objects.events.keep(event);
}

void set_argument(Objects& objects, Bytes& bytes) {
  cl_kernel kernel = objects.kernels.any(bytes);
  const cl_uint index = bytes.next() % 5;
  cl_mem memory = objects.memory.any(bytes);
  const cl_int value = bytes.next();
  if (bytes.next() % 2) {
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    clSetKernelArg(kernel, 2, 1024, nullptr);
  } else {
    clSetKernelArg(kernel, index, bytes.number() % 65, bytes.next() % 2 ? &memory : nullptr);
  }
}

void query(const World& world, Objects& objects, Bytes& bytes) {
  std::array<char, 64> answer;
  const std::size_t size = bytes.number() % answer.size();
  const cl_uint name = 0x1000u + bytes.next() * 16u + bytes.next() % 16u;
  switch (bytes.next() % 4) {
  case 0:
    clGetMemObjectInfo(objects.memory.any(bytes), name, size, answer.data(), nullptr);
    break;
  case 1:
    clGetKernelInfo(objects.kernels.any(bytes), name, size, answer.data(), nullptr);
    break;
  case 2:
    clGetEventInfo(objects.events.any(bytes), name, size, answer.data(), nullptr);
    break;
  default:
    clGetDeviceInfo(world.device, name, size, answer.data(), nullptr);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const World world;
  Objects objects;
  Bytes bytes(data, size);
  while (!bytes.is_empty()) {
    switch (bytes.next() % 5) {
    case 0:
      create(world, objects, bytes);
      break;
    case 1:
      release(objects, bytes);
      break;
    case 2:
      enqueue(world, objects, bytes);
      break;
    case 3:
      set_argument(objects, bytes);
      break;
    default:
      query(world, objects, bytes);
    }
  }
  return 0;
}
