#include "runtime/launch/launch_geometry.hpp"

#include "compiler/abi/group_size.hpp"
#include "runtime/program/argument_limits.hpp"

#include <algorithm>
#include <array>

namespace hostcl::runtime {

namespace {

/// Work-items of a group if the driver chooses the size: enough to amortise the cost of a group, and few
/// enough for their private data to stay in the cache and for each thread to get groups_per_thread groups.
constexpr std::uint64_t target_items = 256;
constexpr std::uint64_t groups_per_thread = 8;

Status check_local_size(const Device& device, const abi::NDRange& range,
                        const std::array<std::uint64_t, 3>& local, const compiler::KernelSignature& signature,
                        bool uniform) {
  const Limits& limits = device.limits();
  const auto& required = signature.required_local_size;
  std::uint64_t items = 1;
  for (int i = 0; i < 3; ++i) {
    if (local[i] == 0) return fail(CL_INVALID_WORK_GROUP_SIZE, "local_work_size[", i, "] is 0");
    if (local[i] > limits.work_item_sizes[i])
      return fail(CL_INVALID_WORK_ITEM_SIZE, "local_work_size[", i, "] is ", local[i],
                  ", more than CL_DEVICE_MAX_WORK_ITEM_SIZES, ", limits.work_item_sizes[i]);
    if (required[0] && local[i] != required[i])
      return fail(CL_INVALID_WORK_GROUP_SIZE, "local_work_size[", i, "] is ", local[i], "; kernel '",
                  signature.name, "' requires ", required[i]);
    if ((uniform || !limits.has_non_uniform_groups) && range.global_size[i] % local[i])
      return fail(CL_INVALID_WORK_GROUP_SIZE, "local_work_size[", i, "] is ", local[i],
                  ", which does not divide ", range.global_size[i], "; ",
                  uniform ? "the program is OpenCL C 1.x or was built with -cl-uniform-work-group-size"
                          : "CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT is CL_FALSE");
    if (local[i] > limits.work_group_size / items)
      return fail(CL_INVALID_WORK_GROUP_SIZE, "the work-group has more than ", limits.work_group_size,
                  " work-items, which is CL_DEVICE_MAX_WORK_GROUP_SIZE");
    items *= local[i];
  }
  if (const std::uint64_t most = device.max_group_items(signature.private_bytes); items > most)
    return fail(CL_INVALID_WORK_GROUP_SIZE, "the work-group has ", items,
                " work-items; the device's registers ", "suffice for ", most, " of kernel '", signature.name,
                "', which is CL_KERNEL_WORK_GROUP_SIZE");
  return {};
}

Status set_global(abi::NDRange& range, const std::uint64_t* offset, const std::uint64_t* size) {
  std::uint64_t total = 1;
  for (cl_uint i = 0; i < 3; ++i) {
    bool used = i < range.work_dim;
    range.global_size[i] = used ? (size ? size[i] : 0) : 1;
    range.global_offset[i] = used && offset ? offset[i] : 0;
    if (range.global_size[i] > ~range.global_offset[i])
      return fail(CL_INVALID_GLOBAL_OFFSET, "global_work_offset[", i, "] + global_work_size[", i,
                  "] overflows");
    if (range.global_size[i] && total > ~std::uint64_t{0} / range.global_size[i])
      return fail(CL_INVALID_GLOBAL_WORK_SIZE, "the product of global_work_size overflows 64 bits");
    total *= range.global_size[i];
  }
  return {};
}

/// abi::long_group(), which takes a dozen divisions. Applications launch kernels of one size again and again, so each
/// thread remembers its last result.
std::array<std::uint64_t, 3> remembered_group(const abi::NDRange& range, const abi::GroupRequest& request) {
  const auto& [x, y, z] = range.global_size;
  const std::array<std::uint64_t, 7> question = {
      x, y, z, request.along, request.width, request.limit, request.has_to_divide};
  constinit static thread_local std::array<std::uint64_t, 7> known{};
  constinit static thread_local std::array<std::uint64_t, 3> answer{};
  if (question != known) {
    answer = abi::long_group(range, request);
    known = question;
  }
  return answer;
}

/// A local size for a launch whose other members are set.
/// @param code null if the program was not built for the device
/// @param uniform whether the local size must divide the global size
std::array<std::uint64_t, 3> suggested_local_size(const abi::NDRange& range,
                                                  const compiler::KernelSignature& signature,
                                                  const LoadedKernel* code, const Device& device,
                                                  bool uniform) {
  const auto& required = signature.required_local_size;
  if (required[0]) return required;
  const auto& global = range.global_size;
  const auto& hint = signature.local_size_hint;
  if (hint[0] && check_local_size(device, range, hint, signature, uniform).ok() && global[0] % hint[0] == 0 &&
      global[1] % hint[1] == 0 && global[2] % hint[2] == 0)
    return hint;
  // With HOSTCL_BITS=same, the size must not depend on the machine: kernels may sum up over their group.
  const bool is_same = device.settings()->same_bits;
  const std::uint64_t width = is_same ? 16 : device.vector_width();
  const std::uint64_t units = is_same ? 16 : device.compute_units();
  const std::uint64_t share = global[0] * global[1] * global[2] / (units * groups_per_thread);
  const unsigned along = global[1] > 1 && !is_same && code && code->prefers_columns() ? 1 : 0;
  const Limits& limits = device.limits();
  const auto group_of = [&](std::uint64_t most) {
    const std::uint64_t least = std::min(width, most);
    const std::uint64_t limit = std::clamp(share / width * width, least, most);
    return remembered_group(range, {along, least, limit, uniform || !limits.has_non_uniform_groups});
  };
  const std::uint64_t most =
      std::min<std::uint64_t>(target_items, device.max_group_items(signature.private_bytes));
  const auto group = group_of(most);
  const auto fits = [](std::uint64_t size, std::size_t limit) { return size <= limit; };
  if (std::ranges::equal(group, limits.work_item_sizes, fits)) [[likely]]
    return group;
  return group_of(std::min<std::uint64_t>(most, std::ranges::min(limits.work_item_sizes)));
}

} // namespace

std::optional<abi::NDRange> block_range(const abi::BlockRange& given, const LoadedKernel& kernel,
                                        const Device& device) {
  if (given.work_dim < 1 || given.work_dim > Device::max_dimensions) return std::nullopt;
  const compiler::KernelSignature& signature = kernel.signature();
  abi::NDRange range{};
  range.work_dim = given.work_dim;
  if (!set_global(range, given.global_offset, given.global_size).ok()) return std::nullopt;
  std::array<std::uint64_t, 3> local = {1, 1, 1};
  const auto* end = given.local_size + given.work_dim;
  if (std::any_of(given.local_size, end, [](std::uint64_t size) { return size != 0; })) {
    std::copy(given.local_size, end, local.begin());
    if (!check_local_size(device, range, local, signature, signature.uniform_groups).ok())
      return std::nullopt;
  } else if (item_total(range) > 0) {
    local = suggested_local_size(range, signature, &kernel, device, signature.uniform_groups);
  }
  set_local_size(range, local);
  return range;
}

Result<abi::NDRange> checked_nd_range(const Device& device, const Kernel& kernel, std::uint64_t local_bytes,
                                      bool uniform_groups, cl_uint work_dim, const std::size_t* global_offset,
                                      const std::size_t* global_size, const std::size_t* local_size) {
  if (work_dim < 1 || work_dim > Device::max_dimensions)
    return fail(CL_INVALID_WORK_DIMENSION, "work_dim is ", work_dim, "; it must be 1, 2 or 3");
  abi::NDRange range{};
  range.work_dim = work_dim;
  TRY(set_global(range, global_offset, global_size));
  bool empty = range.global_size[0] == 0 || range.global_size[1] == 0 || range.global_size[2] == 0;
  std::array<std::uint64_t, 3> local = {1, 1, 1};
  if (local_size) {
    for (cl_uint i = 0; i < work_dim; ++i)
      local[i] = local_size[i];
    TRY(check_local_size(device, range, local, kernel.signature(), uniform_groups));
  } else if (!empty) {
    const Kernel::Code* code = kernel.code_for(device);
    local = suggested_local_size(range, kernel.signature(), code ? code->kernel : nullptr, device,
                                 uniform_groups);
    if (kernel.signature().required_local_size[0])
      TRY(check_local_size(device, range, local, kernel.signature(), uniform_groups));
  }
  set_local_size(range, local);
  // Every host has at least this much local memory, so only larger groups are compared with the device's.
  constexpr std::uint64_t always_available = std::uint64_t{64} << 10;
  if (local_bytes > std::min(always_available, device.limits().local_bytes) &&
      local_bytes > device.local_memory_bytes())
    return fail(CL_OUT_OF_RESOURCES, "a work-group needs ", local_bytes,
                " bytes of local memory; the device has ", device.local_memory_bytes(),
                " (CL_DEVICE_LOCAL_MEM_SIZE)");
  if (device.description()) [[unlikely]]
    TRY(check_argument_limits(device.limits(), kernel.signature()));
  return range;
}

} // namespace hostcl::runtime
