#include "runtime/checks/check_callbacks.hpp"

#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/checks/convergence.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/races.hpp"
#include "runtime/checks/uniformity.hpp"

namespace hostcl::runtime::checks {

namespace {

void report(void*, const abi::Launch* launch, std::uint64_t what, std::uint64_t local_x,
            std::uint64_t local_y, std::uint64_t local_z, std::uint64_t group_x, std::uint64_t group_y,
            std::uint64_t group_z, const abi::CheckSite* site) {
  if (site->must_be_uniform &&
      is_uniform(*launch, *site, what, {local_x, local_y, local_z}, {group_x, group_y, group_z}))
    return;
  Finding finding = finding_at(*launch, *site, {local_x, local_y, local_z}, {group_x, group_y, group_z});
  finding.what = what;
  note(finding);
}

std::int64_t object_low_at(void*, std::uint64_t address) {
  return object_at(address).object.low;
}

std::uint64_t object_size_at(void*, std::uint64_t address) {
  const UsableObject found = object_at(address);
  return found.is_released() ? 0 : found.object.size;
}

} // namespace

void add_check_callbacks(abi::HostCallbacks& host_callbacks) {
  host_callbacks.report = report;
  host_callbacks.object_low_at = object_low_at;
  host_callbacks.object_size_at = object_size_at;
  add_convergence_callbacks(host_callbacks);
  add_race_callbacks(host_callbacks);
  add_command_callbacks(host_callbacks);
}

} // namespace hostcl::runtime::checks
