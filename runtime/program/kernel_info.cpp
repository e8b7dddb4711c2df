// Part of kernel.hpp: the tables for clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo and
// clGetKernelSubGroupInfo.

#include "runtime/program/kernel.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace hostcl::runtime {

namespace {

using K = Rows<Kernel>;
std::string_view name_of(const Kernel& k) {
  return k.signature().name;
}
std::string_view attributes_of(const Kernel& k) {
  return k.signature().attributes;
}
cl_uint argument_count(const Kernel& k) {
  return static_cast<cl_uint>(k.signature().arguments.size());
}
cl_context context_of(const Kernel& k) {
  return k.context().handle();
}
cl_program program_of(const Kernel& k) {
  return k.program().handle();
}

constexpr Row<Kernel> rows[] = {
    K::string<name_of>(CL_KERNEL_FUNCTION_NAME),
    K::value<cl_uint, argument_count>(CL_KERNEL_NUM_ARGS),
    K::value<cl_uint, &Kernel::reference_count>(CL_KERNEL_REFERENCE_COUNT),
    K::value<cl_context, context_of>(CL_KERNEL_CONTEXT),
    K::value<cl_program, program_of>(CL_KERNEL_PROGRAM),
    K::string<attributes_of>(CL_KERNEL_ATTRIBUTES),
};

using Argument = compiler::KernelArgument;
using A = Rows<Argument>;

constexpr Row<Argument> argument_rows[] = {
    A::value<cl_kernel_arg_address_qualifier, &Argument::address_qualifier>(CL_KERNEL_ARG_ADDRESS_QUALIFIER),
    A::value<cl_kernel_arg_access_qualifier, &Argument::access_qualifier>(CL_KERNEL_ARG_ACCESS_QUALIFIER),
    A::string<&Argument::type_name>(CL_KERNEL_ARG_TYPE_NAME),
    A::value<cl_kernel_arg_type_qualifier, &Argument::type_qualifier>(CL_KERNEL_ARG_TYPE_QUALIFIER),
    A::string<&Argument::name>(CL_KERNEL_ARG_NAME),
};

std::array<std::size_t, 3> required_size(const Kernel& k) {
  const auto& required = k.signature().required_local_size;
  return {required[0], required[1], required[2]};
}
std::size_t max_group_size(const Kernel& k, const Device& device) {
  const auto& required = k.signature().required_local_size;
  return required[0] ? required[0] * required[1] * required[2]
                     : device.max_group_items(k.signature().private_bytes);
}
cl_ulong private_bytes(const Kernel& k) {
  return k.signature().private_bytes;
}

constexpr Row<Kernel> work_group_rows[] = {
    K::array<required_size>(CL_KERNEL_COMPILE_WORK_GROUP_SIZE),
    K::value<cl_ulong, &Kernel::local_bytes>(CL_KERNEL_LOCAL_MEM_SIZE),
    K::value<cl_ulong, private_bytes>(CL_KERNEL_PRIVATE_MEM_SIZE),
    // Spilled registers are on the threads' stacks.
    K::constant<cl_ulong, 0>(CL_KERNEL_SPILL_MEM_SIZE_INTEL, "cl_intel_required_subgroup_size"),
};

/// The sub-group size of a kernel, for groups of this size. If the device's description has sub-group sizes, all
/// kernels that require none have the first of these sizes (compiler::Language::sub_group_sizes).
std::size_t sub_group_width(const Kernel& kernel, const Device& device, std::array<std::size_t, 3> local) {
  const std::vector<unsigned>& sizes = device.settings()->language.sub_group_sizes;
  if (!sizes.empty() && kernel.signature().required_sub_group_size == 0) return sizes.front();
  const Kernel::Code* built = kernel.code_for(device);
  return built ? built->kernel->sub_group_width(local) : 1;
}

Status put(Answer& answer, std::size_t value) {
  return answer.bytes(&value, sizeof(value));
}

Result<std::array<std::size_t, 3>> input_size3(std::size_t bytes, const void* input) {
  if (!input || bytes == 0 || bytes % sizeof(std::size_t) || bytes > 3 * sizeof(std::size_t))
    return fail(CL_INVALID_VALUE, "input_value_size is ", bytes,
                "; it must be the size of one to three size_t");
  std::array<std::size_t, 3> size = {1, 1, 1};
  std::memcpy(size.data(), input, bytes);
  if (std::ranges::count(size, 0u))
    return fail(CL_INVALID_VALUE, "input_value has a local size of 0; each must be at least 1");
  return size;
}

} // namespace

Status Kernel::info(cl_kernel_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

Status Kernel::argument_info(cl_uint index, cl_kernel_arg_info name, Answer answer) const {
  if (index >= signature_.arguments.size())
    return fail(CL_INVALID_ARG_INDEX, "arg_index is ", index, "; kernel '", signature_.name, "' has ",
                signature_.arguments.size(), " arguments");
  if (!signature_.has_argument_info)
    return fail(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the program was built without -cl-kernel-arg-info");
  return answer_query(argument_rows, signature_.arguments[index], name, answer);
}

Status Kernel::work_group_info(const Device& device, cl_kernel_work_group_info name, Answer answer) const {
  if (name == CL_KERNEL_WORK_GROUP_SIZE) return put(answer, max_group_size(*this, device));
  if (name == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) return put(answer, device.preferred_multiple());
  if (name == CL_KERNEL_GLOBAL_WORK_SIZE)
    return fail(CL_INVALID_VALUE, "CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels and custom devices");
  return answer_query(work_group_rows, *this, name, answer);
}

Status Kernel::sub_group_info(const Device& device, cl_kernel_sub_group_info name, std::size_t input_size,
                              const void* input, Answer answer) const {
  switch (name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
    TRY(auto local, input_size3(input_size, input));
    std::size_t items = local[0] * local[1] * local[2];
    std::size_t width = sub_group_width(*this, device, local);
    if (name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE) return put(answer, width);
    return put(answer, (items + width - 1) / width);
  }
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
    if (!input || input_size != sizeof(std::size_t))
      return fail(CL_INVALID_VALUE, "input_value_size is ", input_size, "; it must be ", sizeof(std::size_t));
    std::size_t count = *static_cast<const std::size_t*>(input);
    std::size_t width = sub_group_width(*this, device, {device.limits().work_group_size, 1, 1});
    bool possible = count && count <= device.limits().work_group_size / width;
    std::size_t size[3] = {possible ? count * width : 0, possible ? 1u : 0u, possible ? 1u : 0u};
    std::size_t wanted =
        std::clamp<std::size_t>(answer.value() ? answer.capacity() / sizeof(std::size_t) : 1, 1, 3);
    return answer.bytes(size, wanted * sizeof(std::size_t));
  }
  case CL_KERNEL_MAX_NUM_SUB_GROUPS: {
    std::size_t width = sub_group_width(*this, device, {max_group_size(*this, device), 1, 1});
    return put(answer, (max_group_size(*this, device) + width - 1) / width);
  }
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return put(answer, 0);
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return put(answer, signature_.required_sub_group_size);
  default:
    return fail(CL_INVALID_VALUE, "param_name 0x", std::hex, name, " is not a query of sub-groups");
  }
}

} // namespace hostcl::runtime
