#include "runtime/checks/services.hpp"

#include "runtime/checks/agreement.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/races.hpp"
#include "runtime/checks/votes.hpp"

namespace hostcl::runtime::checks {

namespace {

void report(void*, const abi::Launch* launch, std::uint64_t what, std::uint64_t local_x,
            std::uint64_t local_y, std::uint64_t local_z, std::uint64_t group_x, std::uint64_t group_y,
            std::uint64_t group_z, const abi::CheckSite* site) {
  if (site->has_to_agree &&
      agrees(*launch, *site, what, {local_x, local_y, local_z}, {group_x, group_y, group_z}))
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

void add_services(abi::Services& services) {
  services.report = report;
  services.object_low_at = object_low_at;
  services.object_size_at = object_size_at;
  add_vote_services(services);
  add_race_services(services);
  add_command_services(services);
}

} // namespace hostcl::runtime::checks
