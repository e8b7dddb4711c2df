#include "compiler/settings/language.hpp"

#include "compiler/settings/listed_extensions.hpp"

#include <algorithm>
#include <array>

namespace hostcl::compiler {

namespace {

/// Pairs of an extension and a feature with the same meaning. clang refuses a language that has only one of a pair.
constexpr std::array<std::string_view, 2> twins[] = {
    {"cl_khr_fp64", "__opencl_c_fp64"}, {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"}};

/// Extensions and features whose names begin with `prefix` need the extension or feature `needs`.
struct Dependence {
  std::string_view prefix, needs;
};
constexpr Dependence dependences[] = {
    {"__opencl_c_ext_fp16_", "cl_khr_fp16"},
    {"__opencl_c_ext_fp64_", "cl_khr_fp64"},
    {"__opencl_c_ext_fp", "cl_ext_float_atomics"},
    {"cl_khr_int64_", "__opencl_c_int64"},
    {"cl_ext_atomic_counters_64", "__opencl_c_int64"},
    {"cl_khr_3d_image_writes", "__opencl_c_images"},
    {"cl_khr_depth_images", "__opencl_c_images"},
    {"cl_khr_mipmap_image", "__opencl_c_images"},
    {"cl_khr_mipmap_image_writes", "cl_khr_mipmap_image"},
    {"cl_khr_srgb_image_writes", "__opencl_c_images"},
    {"cl_ext_image_", "__opencl_c_images"},
    {"__opencl_c_ext_image_", "__opencl_c_images"},
    {"__opencl_c_ext_image_raw10_raw12", "cl_ext_image_raw10_raw12"},
    {"__opencl_c_ext_image_unorm_int_2_101010", "cl_ext_image_unorm_int_2_101010"},
    {"__opencl_c_ext_image_unsigned_10x6_12x4_14x2", "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {"__opencl_c_read_write_images", "__opencl_c_images"},
    {"__opencl_c_pipes", "__opencl_c_generic_address_space"},
    {"__opencl_c_device_enqueue", "__opencl_c_generic_address_space"},
    {"__opencl_c_device_enqueue", "__opencl_c_program_scope_global_variables"},
    {"__opencl_c_integer_dot_product_", "cl_khr_integer_dot_product"},
    {"__opencl_c_kernel_clock_", "cl_khr_kernel_clock"},
    {"cl_intel_subgroup_", "cl_intel_subgroups"},
    {"cl_intel_subgroup_matrix_multiply_accumulate_", "cl_intel_subgroup_matrix_multiply_accumulate"},
    {"cl_intel_subgroups_", "cl_intel_subgroups"},
};

constexpr std::string_view unlisted[] = {"cl_intel_subgroup_2d_block_io",
                                         "cl_intel_subgroup_matrix_multiply_accumulate",
                                         "cl_intel_subgroup_matrix_multiply_accumulate_tf32"};

bool is_listed(const Language& language, std::string_view name) {
  return std::ranges::find(language.lacks, name) != language.lacks.end();
}

} // namespace

bool is_in_device_list(std::string_view extension) {
  return std::ranges::find(unlisted, extension) == std::end(unlisted);
}

bool is_missing(const Language& language, std::string_view name) {
  if (language.lacks.empty()) return false;
  for (const auto& [extension, feature] : twins)
    if (name == feature) return is_listed(language, feature) || is_missing(language, extension);
  for (const auto& [extension, feature] : twins)
    if (name == extension && is_listed(language, feature)) return true;
  return is_listed(language, name) || std::ranges::any_of(dependences, [&](const Dependence& row) {
           return name.starts_with(row.prefix) && is_missing(language, row.needs);
         });
}

std::string described_device(const Language& language) {
  return language.device.empty() ? "the device" : "the device '" + language.device + "'";
}

std::string version_text(std::uint32_t version) {
  return std::to_string(version >> 22) + "." + std::to_string(version >> 12 & 0x3ff);
}

} // namespace hostcl::compiler
