#include "runtime/checks/services.hpp"

#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/findings.hpp"

#include <new>

namespace hostcl::runtime::checks {

namespace {

void report(void*, const abi::Launch* launch, std::uint64_t what, std::uint64_t local_x,
            std::uint64_t local_y, std::uint64_t local_z, std::uint64_t group_x, std::uint64_t group_y,
            std::uint64_t group_z, const abi::CheckSite* site) {
  Finding finding{*site, what, {}, {local_x, local_y, local_z}, {group_x, group_y, group_z}, anywhere};
  const abi::NDRange& range = launch->range;
  for (unsigned d = 0; d < 3; ++d)
    finding.global_id[d] =
        range.global_offset[d] + finding.group_id[d] * range.local_size[d] + finding.local_id[d];
  if (site->argument >= 0 && launch->objects) finding.argument = launch->objects[site->argument];
  try {
    Findings::instance().add(finding);
  } catch (const std::bad_alloc&) {
    return; // the next one may have memory
  }
}

std::int64_t object_low_at(void*, std::uint64_t address) {
  return object_at(address).low;
}

std::uint64_t object_size_at(void*, std::uint64_t address) {
  return object_at(address).size;
}

} // namespace

void add_services(abi::Services& services) {
  services.report = report;
  services.object_low_at = object_low_at;
  services.object_size_at = object_size_at;
}

} // namespace hostcl::runtime::checks
