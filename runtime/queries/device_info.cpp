// clGetDeviceInfo(), and its answers about names, versions and sub-devices.

#include "runtime/queries/device_info.hpp"

#include "compiler/compiler.hpp"
#include "runtime/object/device_fission.hpp"
#include "runtime/queries/platform.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

namespace hostcl::runtime {

namespace {

using D = Rows<Device>;

cl_uint vendor_id(const Device&) {
  const cl_uint chosen = options().vendor_id.number;
  return chosen ? chosen : machine().vendor_id;
}
std::string_view cpu_name(const Device&) {
  const std::string& chosen = options().device_name;
  return chosen.empty() ? machine().cpu_name : chosen;
}
std::string_view vendor(const Device&) {
  return options().vendor;
}
std::string_view driver_version(const Device&) {
  const std::string& chosen = options().driver_version;
  return chosen.empty() ? HOSTCL_VERSION : std::string_view(chosen);
}
// The driver's version is not part of the text: programs look for "1.0" or "1.1" in it to find old devices.
std::string_view device_version(const Device&) {
  return "OpenCL 3.1 hostcl";
}
// The specification allows a version above 1.2 here only if the device has all optional features of that version.
std::string_view language_version(const Device&) {
  return "OpenCL C 3.0 hostcl";
}
constexpr cl_version language_version_number = CL_MAKE_VERSION(3, 0, 0);
std::string_view profile(const Device&) {
  return "FULL_PROFILE";
}
std::string_view none(const Device&) {
  return "";
}
// The specification asks for a date. This date precedes all conformance test suites, because the driver has not been
// submitted.
std::string_view not_submitted(const Device&) {
  return "v0000-01-01-00";
}

cl_device_id parent(const Device& d) {
  return d.parent() ? d.parent()->handle() : nullptr;
}
cl_platform_id platform(const Device& d) {
  return d.platform().handle();
}
cl_uint reference_count(const Device& d) {
  return d.is_root() ? 1 : d.reference_count();
}

cl_uint max_sub_devices(const Device& d) {
  return d.compute_units() > 1 ? d.compute_units() : 0;
}

std::vector<cl_name_version> language_versions(const Device&) {
  std::vector<cl_name_version> list;
  for (cl_version version : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                             CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)})
    list.push_back(name_version("OpenCL C", version));
  return list;
}
std::vector<cl_name_version> language_features(const Device&) {
  std::vector<cl_name_version> list;
  for (const auto& feature : compiler::language_features())
    list.push_back(name_version(feature.name, feature.version));
  return list;
}
constexpr cl_version oldest_spirv = CL_MAKE_VERSION(1, 0, 0);
constexpr cl_version newest_spirv =
    CL_MAKE_VERSION(compiler::newest_spirv_version >> 16, (compiler::newest_spirv_version >> 8) & 0xff, 0);
static_assert(CL_VERSION_MAJOR(newest_spirv) == CL_VERSION_MAJOR(oldest_spirv));

std::vector<cl_name_version> intermediate_languages(const Device&) {
  std::vector<cl_name_version> list;
  for (cl_uint minor = CL_VERSION_MINOR(newest_spirv) + 1; minor-- > CL_VERSION_MINOR(oldest_spirv);)
    list.push_back(name_version("SPIR-V", CL_MAKE_VERSION(CL_VERSION_MAJOR(newest_spirv), minor, 0)));
  return list;
}
std::string intermediate_language_names(const Device& device) {
  std::string names;
  for (const cl_name_version& entry : intermediate_languages(device))
    names += text(names.empty() ? "" : " ", entry.name, "_", CL_VERSION_MAJOR(entry.version), ".",
                  CL_VERSION_MINOR(entry.version));
  return names;
}
std::vector<cl_name_version> no_names(const Device&) {
  return {};
}

constexpr Row<Device> rows[] = {
    D::value<cl_device_type, &Device::type>(CL_DEVICE_TYPE),
    D::value<cl_uint, vendor_id>(CL_DEVICE_VENDOR_ID),
    D::value<cl_platform_id, platform>(CL_DEVICE_PLATFORM),
    D::string<cpu_name>(CL_DEVICE_NAME),
    D::string<vendor>(CL_DEVICE_VENDOR),
    D::string<driver_version>(CL_DRIVER_VERSION),
    D::string<profile>(CL_DEVICE_PROFILE),
    D::string<device_version>(CL_DEVICE_VERSION),
    D::constant<cl_version, Device::host_version>(CL_DEVICE_NUMERIC_VERSION),
    D::string<language_version>(CL_DEVICE_OPENCL_C_VERSION),
    D::array<language_versions>(CL_DEVICE_OPENCL_C_ALL_VERSIONS),
    D::constant<cl_version, language_version_number>(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR),
    D::array<language_features>(CL_DEVICE_OPENCL_C_FEATURES),
    D::string<&Device::extension_names>(CL_DEVICE_EXTENSIONS),
    D::array<&Device::extensions>(CL_DEVICE_EXTENSIONS_WITH_VERSION),
    D::string<intermediate_language_names>(CL_DEVICE_IL_VERSION),
    D::array<intermediate_languages>(CL_DEVICE_ILS_WITH_VERSION),
    D::string<none>(CL_DEVICE_BUILT_IN_KERNELS),
    D::array<no_names>(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
    D::string<not_submitted>(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),

    // Sub-devices
    D::value<cl_device_id, parent>(CL_DEVICE_PARENT_DEVICE),
    D::value<cl_uint, max_sub_devices>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
    D::array<&Device::partition_types>(CL_DEVICE_PARTITION_PROPERTIES),
    D::value<cl_device_affinity_domain, &Device::affinity_domains>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN),
    D::array<&Device::partition>(CL_DEVICE_PARTITION_TYPE),
    D::value<cl_uint, reference_count>(CL_DEVICE_REFERENCE_COUNT),

    // cl_ext_device_fission
    D::value<cl_device_id, parent>(CL_DEVICE_PARENT_DEVICE_EXT),
    D::array<fission::partition_types>(CL_DEVICE_PARTITION_TYPES_EXT),
    D::array<fission::affinity_domains>(CL_DEVICE_AFFINITY_DOMAINS_EXT),
    D::array<fission::partition_style>(CL_DEVICE_PARTITION_STYLE_EXT),
    D::value<cl_uint, reference_count>(CL_DEVICE_REFERENCE_COUNT_EXT),
};

/// Whether the query is about the compute units of a sub-device, which are not in the description.
bool is_of_part(const Device& device, cl_device_info name) {
  return !device.is_root() &&
         (name == CL_DEVICE_MAX_COMPUTE_UNITS || name == CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
}

} // namespace

Status device_info(const Device& device, cl_device_info name, Answer answer) {
  if (const DescribedDevice* described = device.description(); described && !is_of_part(device, name))
    if (const auto found = described->answers.find(name); found != described->answers.end()) {
      if (found->second) return answer.bytes(found->second->data(), found->second->size());
      const DeviceQuery& query = *find_device_query(name);
      if (described->has_one_of(query.since))
        return fail(CL_INVALID_VALUE, "param_name is ", query.name, ", which the description of the device ",
                    described->name,
                    " does not list; unlisted queries fail, as its member unlisted is \"absent\"");
      return fail(CL_INVALID_VALUE, "param_name is ", query.name, ", a query of ", query.since,
                  "; the device ", described->name, " has none of these versions and extensions");
    }
  return answer_query<Device>({rows, execution_rows(), memory_rows(), extension_rows()}, device, name,
                              answer);
}

} // namespace hostcl::runtime
