#include "differential/shared_memory.hpp"

#include <algorithm>
#include <cstring>

namespace differential {

namespace {

/// A function of an extension, of the device's platform.
template <class Function>
Function extension(cl_device_id device, const char* name) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  const auto found = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  if (!found) throw Unsupported();
  return found;
}

cl_device_id device_of(cl_kernel kernel) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, nullptr);
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  return device;
}

} // namespace

SharedArguments::SharedArguments(cl_context context, cl_device_id device, const Range& range)
    : context_(context), range_(range), sharing_(sharing_of(range)) {
  unsigned count = 0;
  for (const Sharing::Place& place : sharing_.places)
    count = std::max(count, place.allocation + 1);
  for (unsigned i = 0; i < count; ++i) {
    std::vector<unsigned char> bytes = shared_contents(range, i);
    if (sharing_.memory == SharedMemory::buffers) {
      cl_int status = CL_SUCCESS;
      buffers_.emplace_back(
          clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &status));
      check(status, "clCreateBuffer of shared memory");
      continue;
    }
    addresses_.push_back(allocate(device, bytes.size()));
    std::memcpy(addresses_.back(), bytes.data(), bytes.size());
  }
  make_buffers();
}

SharedArguments::~SharedArguments() {
  parts_.clear();
  buffers_.clear();
  for (void* address : addresses_)
    if (free_)
      free_(context_, address);
    else
      clSVMFree(context_, address);
}

/// Memory that the host sees as well.
void* SharedArguments::allocate(cl_device_id device, std::size_t bytes) {
  void* address = nullptr;
  if (sharing_.memory == SharedMemory::usm) {
    cl_int status = CL_SUCCESS;
    free_ = extension<clMemBlockingFreeINTEL_fn>(device, "clMemBlockingFreeINTEL");
    address = extension<clHostMemAllocINTEL_fn>(device, "clHostMemAllocINTEL")(context_, nullptr, bytes, 64,
                                                                               &status);
    check(status, "clHostMemAllocINTEL");
  } else {
    cl_device_svm_capabilities capabilities = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, nullptr);
    if (!(capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) throw Unsupported();
    address = clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 64);
    if (!address) throw Failure("clSVMAlloc failed");
  }
  return address;
}

/// Buffers of the arguments that have no addresses. One that has all of its allocation is the buffer itself.
void SharedArguments::make_buffers() {
  const std::size_t size = allocation_words(range_) * sizeof(cl_uint);
  cl_int status = CL_SUCCESS;
  if (sharing_.memory == SharedMemory::buffer_on_svm) {
    buffers_.emplace_back(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, size, addresses_[0], &status));
    check(status, "clCreateBuffer on shared virtual memory");
  }
  for (unsigned i = 0; i < shared_arguments; ++i) {
    BufferOwner& part = parts_.emplace_back();
    if (is_address(i)) continue;
    const Extent extent = extent_of(range_, i);
    cl_mem whole = buffers_.at(sharing_.places[i].allocation).get();
    const cl_buffer_region region{extent.offset, extent.size};
    if (extent.offset == 0) {
      check(clRetainMemObject(whole), "clRetainMemObject");
      part.reset(whole);
    } else {
      part.reset(clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
      check(status, "clCreateSubBuffer");
    }
  }
}

bool SharedArguments::is_address(unsigned argument) const {
  return sharing_.memory == SharedMemory::svm || sharing_.memory == SharedMemory::usm ||
         (sharing_.memory == SharedMemory::buffer_on_svm && argument >= 2);
}

void* SharedArguments::address(unsigned argument) const {
  return static_cast<unsigned char*>(addresses_.at(sharing_.places[argument].allocation)) +
         extent_of(range_, argument).offset;
}

void SharedArguments::set(cl_kernel kernel, cl_uint index, unsigned argument) const {
  if (!is_address(argument)) {
    cl_mem buffer = parts_[argument].get();
    check(clSetKernelArg(kernel, index, sizeof buffer, &buffer), "clSetKernelArg of a shared buffer");
  } else if (sharing_.memory == SharedMemory::usm) {
    const auto set =
        extension<clSetKernelArgMemPointerINTEL_fn>(device_of(kernel), "clSetKernelArgMemPointerINTEL");
    check(set(kernel, index, address(argument)), "clSetKernelArgMemPointerINTEL");
  } else {
    check(clSetKernelArgSVMPointer(kernel, index, address(argument)), "clSetKernelArgSVMPointer");
  }
}

std::vector<unsigned char> SharedArguments::bytes(cl_command_queue queue, unsigned argument) const {
  const Extent extent = extent_of(range_, argument);
  std::vector<unsigned char> bytes(extent.size);
  if (is_address(argument))
    std::memcpy(bytes.data(), address(argument), bytes.size());
  else
    check(clEnqueueReadBuffer(queue, parts_[argument].get(), CL_TRUE, 0, bytes.size(), bytes.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer of shared memory");
  return bytes;
}

} // namespace differential
