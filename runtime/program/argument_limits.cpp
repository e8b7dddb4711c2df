#include "runtime/program/argument_limits.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

using compiler::ArgumentKind;
using compiler::KernelArgument;

bool is_constant(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::constant_pointer;
}
bool is_sampler(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::sampler;
}
bool is_pipe(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::pipe;
}
template <cl_kernel_arg_access_qualifier access>
bool is_image(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::image && argument.access_qualifier == access;
}

/// A limit of the number of arguments of one kind.
struct CountLimit {
  bool (*is_counted)(const KernelArgument& argument);
  cl_uint Limits::* most;
  const char* kind;
  const char* query;
};

constexpr CountLimit count_limits[] = {
    {is_constant, &Limits::constant_arguments, "constant", "CL_DEVICE_MAX_CONSTANT_ARGS"},
    {is_image<CL_KERNEL_ARG_ACCESS_READ_ONLY>, &Limits::read_image_arguments, "read_only image",
     "CL_DEVICE_MAX_READ_IMAGE_ARGS"},
    {is_image<CL_KERNEL_ARG_ACCESS_WRITE_ONLY>, &Limits::write_image_arguments, "write_only image",
     "CL_DEVICE_MAX_WRITE_IMAGE_ARGS"},
    {is_image<CL_KERNEL_ARG_ACCESS_READ_WRITE>, &Limits::read_write_image_arguments, "read_write image",
     "CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS"},
    {is_sampler, &Limits::samplers, "sampler", "CL_DEVICE_MAX_SAMPLERS"},
    {is_pipe, &Limits::pipe_arguments, "pipe", "CL_DEVICE_MAX_PIPE_ARGS"},
};

} // namespace

Status check_argument_limits(const Limits& limits, const compiler::KernelSignature& signature) {
  for (const CountLimit& limit : count_limits) {
    const auto count = std::ranges::count_if(signature.arguments, limit.is_counted);
    if (count > limits.*limit.most)
      return fail(CL_OUT_OF_RESOURCES, "kernel '", signature.name, "' has ", count, " ", limit.kind,
                  " arguments; ", limit.query, " is ", limits.*limit.most);
  }
  if (signature.argument_bytes > limits.parameter_bytes)
    return fail(CL_OUT_OF_RESOURCES, "the arguments of kernel '", signature.name, "' have ",
                signature.argument_bytes, " bytes; CL_DEVICE_MAX_PARAMETER_SIZE is ", limits.parameter_bytes);
  return {};
}

} // namespace hostcl::runtime
