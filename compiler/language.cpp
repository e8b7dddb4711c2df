#include "compiler/language.hpp"

#include "compiler/compiler.hpp"

extern "C" const char hostcl_opencl_base_header[];
extern "C" const char hostcl_opencl_base_header_end[];

namespace hostcl::compiler {

namespace {

constexpr std::uint32_t version(unsigned major, unsigned minor, unsigned patch) {
  return major << 22 | minor << 12 | patch;
}
constexpr std::uint32_t v1 = version(1, 0, 0);
constexpr std::uint32_t v3 = version(3, 0, 0);

constexpr NamedVersion extensions[] = {
    {"cl_khr_byte_addressable_store", v1},
    {"cl_khr_global_int32_base_atomics", v1},
    {"cl_khr_global_int32_extended_atomics", v1},
    {"cl_khr_local_int32_base_atomics", v1},
    {"cl_khr_local_int32_extended_atomics", v1},
    {"cl_khr_int64_base_atomics", v1},
    {"cl_khr_int64_extended_atomics", v1},
    {"cl_khr_fp16", v1},
    {"cl_khr_fp64", v1},
};

constexpr NamedVersion features[] = {
    {"__opencl_c_atomic_order_acq_rel", v3},
    {"__opencl_c_atomic_order_seq_cst", v3},
    {"__opencl_c_atomic_scope_device", v3},
    {"__opencl_c_atomic_scope_all_devices", v3},
    {"__opencl_c_fp64", v3},
    {"__opencl_c_generic_address_space", v3},
    {"__opencl_c_int64", v3},
    {"__opencl_c_program_scope_global_variables", v3},
    {"__opencl_c_work_group_collective_functions", v3},
};

} // namespace

std::span<const NamedVersion> language_extensions() {
  return extensions;
}
std::span<const NamedVersion> language_features() {
  return features;
}

const std::string& extension_argument() {
  static const std::string argument = [] {
    std::string list = "-all";
    for (const NamedVersion& extension : extensions)
      list += std::string(",+") + extension.name;
    for (const NamedVersion& feature : features)
      list += std::string(",+") + feature.name;
    return list;
  }();
  return argument;
}

std::string_view opencl_base_header() {
  return {hostcl_opencl_base_header,
          static_cast<std::size_t>(hostcl_opencl_base_header_end - hostcl_opencl_base_header)};
}

} // namespace hostcl::compiler
