#include "compiler/front/clang/language.hpp"

#include "compiler/compiler.hpp"

#include <algorithm>
#include <string>
#include <utility>

extern "C" const char hostcl_opencl_base_header[];
extern "C" const char hostcl_opencl_base_header_end[];

namespace hostcl::compiler {

namespace {

constexpr std::uint32_t version(unsigned major, unsigned minor, unsigned patch) {
  return major << 22 | minor << 12 | patch;
}
constexpr std::uint32_t v1 = version(1, 0, 0);
constexpr std::uint32_t v3 = version(3, 0, 0);

/// Macros that name versions of OpenCL.
constexpr std::pair<const char*, std::uint32_t> version_names[] = {{"CL_VERSION_1_1", version(1, 1, 0)},
                                                                   {"CL_VERSION_1_2", version(1, 2, 0)},
                                                                   {"CL_VERSION_2_0", version(2, 0, 0)},
                                                                   {"CL_VERSION_3_0", v3},
                                                                   {"CL_VERSION_3_1", version(3, 1, 0)}};

// Not in this list: cl_khr_subgroups promises that sub-groups of a group make progress independently of each
// other; the feature __opencl_c_subgroups has the same functions without this promise.
// cl_khr_work_group_uniform_arithmetic and cl_khr_spirv_extended_debug_info work, but the conformance tests
// do not accept them, because they are not in Khronos's list of extensions.
constexpr NamedVersion extensions[] = {
    {"cl_khr_3d_image_writes", v1},
    {"cl_khr_byte_addressable_store", v1},
    {"cl_khr_depth_images", v1},
    {"cl_khr_global_int32_base_atomics", v1},
    {"cl_khr_global_int32_extended_atomics", v1},
    {"cl_khr_local_int32_base_atomics", v1},
    {"cl_khr_local_int32_extended_atomics", v1},
    {"cl_khr_int64_base_atomics", v1},
    {"cl_khr_int64_extended_atomics", v1},
    {"cl_khr_fp16", v1},
    {"cl_khr_fp64", v1},
    {"cl_khr_expect_assume", v1},
    {"cl_khr_extended_async_copies", v1},
    {"cl_khr_extended_bit_ops", v1},
    {"cl_khr_integer_dot_product", version(2, 0, 0)},
    {"cl_khr_kernel_clock", v1},
    {"cl_khr_mipmap_image", v1},
    {"cl_khr_mipmap_image_writes", v1},
    {"cl_khr_srgb_image_writes", v1},
    {"cl_khr_subgroup_ballot", v1},
    {"cl_khr_subgroup_clustered_reduce", v1},
    {"cl_khr_subgroup_extended_types", v1},
    {"cl_khr_subgroup_non_uniform_arithmetic", v1},
    {"cl_khr_subgroup_non_uniform_vote", v1},
    {"cl_khr_subgroup_rotate", v1},
    {"cl_khr_subgroup_shuffle", v1},
    {"cl_khr_subgroup_shuffle_relative", v1},
    {"cl_ext_cxx_for_opencl", v1},
    {"cl_ext_float_atomics", v1},
    {"cl_ext_image_raw10_raw12", v1},
    {"cl_ext_image_unorm_int_2_101010", v1},
    {"cl_ext_image_unsigned_10x6_12x4_14x2", v1},
    {"cl_ext_atomic_counters_32", v1},
    {"cl_ext_atomic_counters_64", v1},
    {"cl_intel_bfloat16_conversions", v1},
    {"cl_intel_devicelib_assert", v1},
    {"cl_intel_split_work_group_barrier", v1},
    {"cl_intel_subgroup_buffer_prefetch", v1},
    {"cl_intel_subgroup_local_block_io", v1},
    {"cl_intel_subgroups", v1},
    {"cl_intel_subgroups_char", v1},
    {"cl_intel_subgroups_long", v1},
    {"cl_intel_subgroups_short", v1},
    {"cl_intel_required_subgroup_size", v1},
    {"cl_intel_subgroup_2d_block_io", version(1, 1, 0)},
    {"cl_intel_subgroup_matrix_multiply_accumulate", version(1, 1, 0)},
    {"cl_intel_subgroup_matrix_multiply_accumulate_tf32", v1},
};

/// Features of the core language have its version; features of extensions have the version of their
/// extension.
constexpr NamedVersion features[] = {
    {"__opencl_c_3d_image_writes", v3},
    {"__opencl_c_atomic_order_acq_rel", v3},
    {"__opencl_c_atomic_order_seq_cst", v3},
    {"__opencl_c_atomic_scope_device", v3},
    {"__opencl_c_atomic_scope_all_devices", v3},
    {"__opencl_c_device_enqueue", v3},
    {"__opencl_c_fp64", v3},
    {"__opencl_c_generic_address_space", v3},
    {"__opencl_c_images", v3},
    {"__opencl_c_int64", v3},
    {"__opencl_c_pipes", v3},
    {"__opencl_c_program_scope_global_variables", v3},
    {"__opencl_c_read_write_images", v3},
    {"__opencl_c_subgroups", v3},
    {"__opencl_c_work_group_collective_functions", v3},
    {"__opencl_c_ext_fp16_global_atomic_load_store", v1},
    {"__opencl_c_ext_fp16_global_atomic_add", v1},
    {"__opencl_c_ext_fp16_global_atomic_min_max", v1},
    {"__opencl_c_ext_fp16_local_atomic_load_store", v1},
    {"__opencl_c_ext_fp16_local_atomic_add", v1},
    {"__opencl_c_ext_fp16_local_atomic_min_max", v1},
    {"__opencl_c_ext_fp32_global_atomic_add", v1},
    {"__opencl_c_ext_fp32_global_atomic_min_max", v1},
    {"__opencl_c_ext_fp32_local_atomic_add", v1},
    {"__opencl_c_ext_fp32_local_atomic_min_max", v1},
    {"__opencl_c_ext_fp64_global_atomic_add", v1},
    {"__opencl_c_ext_fp64_global_atomic_min_max", v1},
    {"__opencl_c_ext_fp64_local_atomic_add", v1},
    {"__opencl_c_ext_fp64_local_atomic_min_max", v1},
    {"__opencl_c_ext_image_raw10_raw12", v1},
    {"__opencl_c_ext_image_unorm_int_2_101010", v1},
    {"__opencl_c_ext_image_unsigned_10x6_12x4_14x2", v1},
    {"__opencl_c_integer_dot_product_input_4x8bit", version(2, 0, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", version(2, 0, 0)},
    {"__opencl_c_kernel_clock_scope_device", v1},
    {"__opencl_c_kernel_clock_scope_work_group", v1},
    {"__opencl_c_kernel_clock_scope_sub_group", v1},
};

} // namespace

std::span<const NamedVersion> language_extensions() {
  return extensions;
}
std::span<const NamedVersion> language_features() {
  return features;
}

std::string extension_argument(const Language& language) {
  const auto list_of = [](const Language& had) {
    std::string list = "-all";
    for (const std::span<const NamedVersion> rows : {language_extensions(), language_features()})
      for (const NamedVersion& row : rows)
        if (!is_missing(had, row.name)) list.append(",+").append(row.name);
    // Before OpenCL 3.0, sub-groups are an extension and not a feature.
    const bool is_old = had.device_version != 0 && had.device_version < v3;
    if (is_old && !is_missing(had, "__opencl_c_subgroups")) list.append(",+cl_khr_subgroups");
    return list;
  };
  static const std::string all = list_of({});
  return language.lacks.empty() ? all : list_of(language);
}

std::vector<std::string> missing_macros(const Language& language) {
  std::vector<std::string> arguments;
  for (const auto& [name, number] : version_names)
    if (language.device_version != 0 && number > std::max(language.device_version, language.newest_c))
      arguments.push_back(std::string("-U").append(name));
  for (const std::span<const NamedVersion> rows : {language_extensions(), language_features()})
    for (const NamedVersion& row : rows)
      if (is_missing(language, row.name))
        arguments.push_back(std::string("-D__hostcl_lacks_").append(row.name));
  // In OpenCL C 2.0, opencl-c-base.h declares sub-group functions only with cl_intel_subgroups or cl_khr_subgroups.
  if (is_missing(language, "cl_intel_subgroups") && !is_missing(language, "__opencl_c_subgroups"))
    arguments.emplace_back("-D__opencl_subgroup_builtins=1");
  // clang defines these macros whatever -cl-ext says.
  if (is_missing(language, "__opencl_c_images")) arguments.emplace_back("-U__IMAGE_SUPPORT__");
  if (is_missing(language, "__opencl_c_int64")) arguments.emplace_back("-U__opencl_c_int64");
  return arguments;
}

std::string_view opencl_base_header() {
  return {hostcl_opencl_base_header,
          static_cast<std::size_t>(hostcl_opencl_base_header_end - hostcl_opencl_base_header)};
}

} // namespace hostcl::compiler
