// Part of device.hpp: sub-devices (OpenCL 3.0 API, 4.3) with equal numbers of compute units, with given
// numbers, or by shared NUMA node or cache.

#include "runtime/object/device.hpp"
#include "runtime/support/options.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace hostcl::runtime {

namespace {

using Counts = std::vector<unsigned>;

Result<Counts> equal_parts(const Device& device, cl_device_partition_property units) {
  if (units <= 0)
    return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_EQUALLY asks for ", units,
                " compute units; it must be at least 1");
  if (static_cast<std::uint64_t>(units) > device.compute_units())
    return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "CL_DEVICE_PARTITION_EQUALLY asks for ", units,
                " compute units; the device has ", device.compute_units());
  Counts parts(device.compute_units() / units, static_cast<unsigned>(units));
  if (parts.size() == 1)
    return fail(CL_DEVICE_PARTITION_FAILED, "CL_DEVICE_PARTITION_EQUALLY asks for ", units,
                " compute units, which is the whole device");
  return parts;
}

Result<Counts> counted_parts(const Device& device, const cl_device_partition_property* counts) {
  Counts parts;
  std::uint64_t total = 0;
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    if (parts.size() == device.compute_units())
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT,
                  "the list of counts is longer than the device's number of compute units, ",
                  device.compute_units());
    if (*counts < 0 || static_cast<std::uint64_t>(*counts) > device.compute_units() - total)
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "the counts add up to more than the device's ",
                  device.compute_units(), " compute units");
    total += *counts;
    parts.push_back(static_cast<unsigned>(*counts));
  }
  if (parts.empty())
    return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "the list of counts is empty; it must have at least one");
  return parts;
}

/// A sub-device with the compute units that are listed (cl_intel_device_partition_by_names). If the
/// processors of compute units are not known, the sub-device has just as many threads.
Result<Device::Part> named_part(const Device& device, const cl_device_partition_property* names) {
  std::set<cl_device_partition_property> units;
  for (; *names != CL_PARTITION_BY_NAMES_LIST_END_INTEL; ++names) {
    if (*names < 0 || static_cast<std::uint64_t>(*names) >= device.compute_units())
      return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_NAMES_INTEL has the name ", *names,
                  "; the device's compute units are named 0 to ", device.compute_units() - 1);
    if (!units.insert(*names).second)
      return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_NAMES_INTEL has the name ", *names, " twice");
  }
  if (units.empty()) return fail(CL_INVALID_VALUE, "the list of names is empty; it must have at least one");
  const Processors& all = device.processors();
  Processors own;
  for (const cl_device_partition_property unit : units)
    if (!all.empty()) own.push_back(all[unit]);
  return Device::Part{static_cast<unsigned>(units.size()), std::move(own), !all.empty()};
}

/// Sub-devices of these sizes. Compute units that are neighbours on the machine stay together.
std::vector<Device::Part> parts_of(const Device& device, const Counts& counts) {
  std::vector<Device::Part> parts;
  auto next = device.processors().begin();
  bool known = !device.processors().empty();
  for (unsigned units : counts) {
    Processors own(next, next + (known ? units : 0));
    std::advance(next, own.size());
    parts.push_back({units, std::move(own), known && options().pin});
  }
  return parts;
}

// The order in which CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE tries them.
constexpr cl_device_affinity_domain domains[] = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

/// The first domain, in this order, by which the device can be partitioned.
cl_device_affinity_domain next_domain(const Device& device) {
  auto possible = device.affinity_domains();
  auto* found = std::ranges::find_if(domains, [&](auto domain) { return domain & possible; });
  return found == std::end(domains) ? 0 : *found;
}

/// Partitions by a domain. Replaces CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE in `domain` by the domain
/// that was found.
Result<std::vector<Device::Part>> affinity_parts(const Device& device, cl_device_affinity_domain& domain) {
  bool any = domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  if (!any && std::ranges::find(domains, domain) == std::end(domains))
    return fail(CL_INVALID_VALUE, "affinity domain 0x", std::hex, domain, " is not known");
  cl_device_affinity_domain wanted = any ? next_domain(device) : domain;
  if (!wanted)
    return fail(CL_DEVICE_PARTITION_FAILED, "the device cannot be partitioned by affinity domain: its "
                                            "compute units share all NUMA nodes and caches");
  std::vector<Processors> groups = groups_that_share(wanted, device.processors());
  if (groups.empty()) return fail(CL_INVALID_VALUE, "the device has no affinity domain 0x", std::hex, wanted);
  if (groups.size() == 1)
    return fail(CL_DEVICE_PARTITION_FAILED, "the device's compute units share all of affinity domain 0x",
                std::hex, wanted);
  domain = wanted;
  std::vector<Device::Part> parts;
  for (Processors& group : groups)
    parts.push_back({static_cast<unsigned>(group.size()), std::move(group), true});
  return parts;
}

} // namespace

cl_device_affinity_domain Device::affinity_domains() const {
  cl_device_affinity_domain possible = 0;
  for (cl_device_affinity_domain domain : domains)
    if (groups_that_share(domain, processors()).size() > 1) possible |= domain;
  return possible ? possible | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0;
}

std::vector<cl_device_partition_property> Device::partition_types() const {
  if (compute_units() == 1) return {0};
  std::vector<cl_device_partition_property> types = {
      CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_NAMES_INTEL};
  if (affinity_domains()) types.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  if (description_) std::erase_if(types, [&](auto type) { return !description_->may_be_partitioned(type); });
  if (types.empty()) types.push_back(0);
  return types;
}

Result<std::vector<Ref<Device>>> Device::partitioned(const cl_device_partition_property* properties,
                                                     std::size_t limit) {
  if (!properties) return fail(CL_INVALID_VALUE, "properties is NULL");
  const bool has_list =
      properties[0] == CL_DEVICE_PARTITION_BY_COUNTS || properties[0] == CL_DEVICE_PARTITION_BY_NAMES_INTEL;
  if (!has_list && properties[0] && properties[2])
    return fail(CL_INVALID_VALUE, "properties has 0x", std::hex, properties[2],
                " after the first partition type and its value; only one type is allowed");
  if (description_ && !description_->may_be_partitioned(properties[0]))
    return fail(CL_INVALID_VALUE, "partition type 0x", std::hex, properties[0],
                " is not in CL_DEVICE_PARTITION_PROPERTIES of the device ", description_->name);
  std::vector<Part> parts;
  std::vector<cl_device_partition_property> used = {properties[0]};
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY: {
    TRY(Counts counts, equal_parts(*this, properties[1]));
    parts = parts_of(*this, counts);
    used.push_back(properties[1]);
    break;
  }
  case CL_DEVICE_PARTITION_BY_COUNTS: {
    TRY(Counts counts, counted_parts(*this, properties + 1));
    parts = parts_of(*this, counts);
    used.insert(used.end(), counts.begin(), counts.end());
    used.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
    break;
  }
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: {
    auto domain = static_cast<cl_device_affinity_domain>(properties[1]);
    TRY(parts, affinity_parts(*this, domain));
    used.push_back(static_cast<cl_device_partition_property>(domain));
    break;
  }
  case CL_DEVICE_PARTITION_BY_NAMES_INTEL: {
    TRY(Part part, named_part(*this, properties + 1));
    parts.push_back(std::move(part));
    const auto* end =
        std::find(properties + 1, properties + 2 + compute_units(), CL_PARTITION_BY_NAMES_LIST_END_INTEL);
    used.insert(used.end(), properties + 1, end + 1);
    break;
  }
  default:
    return fail(CL_INVALID_VALUE, "partition type 0x", std::hex, properties[0], " is not supported");
  }
  used.push_back(0);
  if (limit && parts.size() > limit)
    return fail(CL_INVALID_VALUE, "num_devices is ", limit, "; the partition makes ", parts.size(),
                " devices");
  std::vector<Ref<Device>> devices;
  for (Part& part : parts)
    devices.push_back(make_object<Device>(*this, std::move(part), used));
  return devices;
}

} // namespace hostcl::runtime
