#include "differential/objects.hpp"

#include <algorithm>

namespace differential {

namespace {

using Form = BufferPlan::Form;

constexpr std::size_t packet_bytes = sizeof(cl_uint);

cl_image_format format_of(const BufferPlan& plan) {
  return {CL_RGBA, static_cast<cl_channel_type>(plan.pixel_bytes == 4                   ? CL_UNSIGNED_INT8
                                                : plan.fill == BufferPlan::Fill::floats ? CL_FLOAT
                                                                                        : CL_UNSIGNED_INT32)};
}

KernelOwner kernel_for(cl_program program, const std::string& name, cl_mem pipe) {
  cl_int status = CL_SUCCESS;
  KernelOwner kernel(clCreateKernel(program, name.c_str(), &status));
  check(status, "clCreateKernel of " + name);
  check(clSetKernelArg(kernel.get(), 0, sizeof pipe, &pipe), "clSetKernelArg of " + name);
  return kernel;
}

void run_once(cl_command_queue queue, cl_kernel kernel) {
  const std::size_t one = 1;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
        "the launch for a pipe");
  check(clFinish(queue), "clFinish");
}

std::vector<unsigned char> packets_of(cl_command_queue queue, cl_program program, cl_mem pipe,
                                      const BufferPlan& plan, const std::string& parameter) {
  cl_context context = nullptr;
  check(clGetMemObjectInfo(pipe, CL_MEM_CONTEXT, sizeof context, &context, nullptr), "clGetMemObjectInfo");
  std::vector<unsigned char> bytes(plan.bytes);
  cl_int status = CL_SUCCESS;
  const BufferOwner packets(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &status));
  check(status, "clCreateBuffer");
  const KernelOwner drain = kernel_for(program, "drain_" + parameter, pipe);
  cl_mem to = packets.get();
  check(clSetKernelArg(drain.get(), 1, sizeof to, &to), "clSetKernelArg");
  run_once(queue, drain.get());
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  auto* first = reinterpret_cast<cl_uint*>(bytes.data());
  std::sort(first, first + bytes.size() / packet_bytes);
  return bytes;
}

} // namespace

BufferOwner make_object(cl_context context, const BufferPlan& plan, const std::string& parameter) {
  cl_int status = CL_SUCCESS;
  BufferOwner object;
  if (plan.form == Form::pipe) {
    object.reset(clCreatePipe(context, 0, packet_bytes, static_cast<cl_uint>(plan.bytes / packet_bytes),
                              nullptr, &status));
  } else if (plan.form == Form::image) {
    std::vector<unsigned char> bytes = contents(plan, parameter);
    const cl_image_format format = format_of(plan);
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = plan.width;
    description.image_height = plan.bytes / plan.pixel_bytes / plan.width;
    object.reset(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &description, bytes.data(), &status));
  } else {
    std::vector<unsigned char> bytes = contents(plan, parameter);
    object.reset(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &status));
  }
  check(status, "creating " + parameter);
  return object;
}

void fill_pipe(cl_command_queue queue, cl_program program, cl_mem pipe, const std::string& parameter,
               std::size_t packets) {
  const KernelOwner fill = kernel_for(program, "fill_" + parameter, pipe);
  const auto count = static_cast<cl_int>(packets);
  check(clSetKernelArg(fill.get(), 1, sizeof count, &count), "clSetKernelArg");
  run_once(queue, fill.get());
}

std::vector<unsigned char> bytes_of(cl_command_queue queue, cl_program program, cl_mem object,
                                    const BufferPlan& plan, const std::string& parameter) {
  if (plan.form == Form::pipe) return packets_of(queue, program, object, plan, parameter);
  std::vector<unsigned char> bytes(plan.bytes);
  if (plan.form == Form::image) {
    const std::size_t origin[3] = {}, region[3] = {plan.width, plan.bytes / plan.pixel_bytes / plan.width, 1};
    check(clEnqueueReadImage(queue, object, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
          "clEnqueueReadImage of " + parameter);
  } else {
    check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer of " + parameter);
  }
  return bytes;
}

} // namespace differential
