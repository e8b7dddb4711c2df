#include "runtime/object/device_fission.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime::fission {

namespace {

struct Domain {
  cl_device_partition_property_ext ext;
  cl_device_affinity_domain core;
};
constexpr Domain domains[] = {
    {CL_AFFINITY_DOMAIN_L1_CACHE_EXT, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE},
    {CL_AFFINITY_DOMAIN_L2_CACHE_EXT, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE},
    {CL_AFFINITY_DOMAIN_L3_CACHE_EXT, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE},
    {CL_AFFINITY_DOMAIN_L4_CACHE_EXT, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE},
    {CL_AFFINITY_DOMAIN_NUMA_EXT, CL_DEVICE_AFFINITY_DOMAIN_NUMA},
    {CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE},
};

cl_device_partition_property_ext ext_type(cl_device_partition_property core) {
  switch (core) {
  case CL_DEVICE_PARTITION_EQUALLY:
    return CL_DEVICE_PARTITION_EQUALLY_EXT;
  case CL_DEVICE_PARTITION_BY_COUNTS:
    return CL_DEVICE_PARTITION_BY_COUNTS_EXT;
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
    return CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT;
  default:
    return CL_PROPERTIES_LIST_END_EXT;
  }
}

} // namespace

Properties partition_types(const Device& device) {
  Properties types;
  for (cl_device_partition_property core : device.partition_types())
    if (auto type = ext_type(core)) types.push_back(type);
  return types;
}

Properties affinity_domains(const Device& device) {
  Properties list;
  for (const Domain& domain : domains)
    if (device.affinity_domains() & domain.core) list.push_back(domain.ext);
  return list;
}

Properties partition_style(const Device& device) {
  const auto& core = device.partition();
  if (core.empty()) return {};
  Properties style(core.begin(), core.end());
  style[0] = ext_type(core[0]);
  if (core[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
    style[1] =
        std::ranges::find(domains, static_cast<cl_device_affinity_domain>(core[1]), &Domain::core)->ext;
  return style;
}

Result<std::vector<cl_device_partition_property>>
core_properties(const cl_device_partition_property_ext* properties) {
  if (!properties) return fail(CL_INVALID_VALUE, "properties is NULL");
  std::vector<cl_device_partition_property> core;
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY_EXT:
    core = {CL_DEVICE_PARTITION_EQUALLY, static_cast<cl_device_partition_property>(properties[1])};
    break;
  case CL_DEVICE_PARTITION_BY_COUNTS_EXT:
    core = {CL_DEVICE_PARTITION_BY_COUNTS};
    for (; properties[1] != CL_PARTITION_BY_COUNTS_LIST_END_EXT; ++properties)
      core.push_back(static_cast<cl_device_partition_property>(properties[1]));
    core.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
    break;
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT: {
    auto* domain = std::ranges::find(domains, properties[1], &Domain::ext);
    if (domain == std::end(domains))
      return fail(CL_INVALID_VALUE, "affinity domain 0x", std::hex, properties[1], " is not known");
    core = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<cl_device_partition_property>(domain->core)};
    break;
  }
  default:
    return fail(CL_INVALID_VALUE, "partition type 0x", std::hex, properties[0], " is not supported");
  }
  core.push_back(0);
  return core;
}

cl_int error_code(cl_int core) {
  switch (core) {
  case CL_DEVICE_PARTITION_FAILED:
    return CL_DEVICE_PARTITION_FAILED_EXT;
  case CL_INVALID_DEVICE_PARTITION_COUNT:
    return CL_INVALID_PARTITION_COUNT_EXT;
  default:
    return core;
  }
}

} // namespace hostcl::runtime::fission
