#include "runtime/checks/convergence.hpp"

#include "runtime/checks/findings.hpp"

#include <array>

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;

/// The state of the check for the group that runs on the calling thread. Each work-item arrives once: it calls
/// convergence_arrive() and says whether it goes on to the barrier (`reaches`, 1 or 0). When all work-items have
/// arrived, and before the next check begins, the kernel calls convergence_result(): work-items that differ from the
/// first one to arrive are reported, and all of them go the way of the first one.
struct ConvergenceCheck {
  bool is_closed = true;
  std::uint32_t first = 0; ///< `reaches` of the work-item that arrived first
  std::array<std::uint32_t, 2> counts = {};
  Id local_id = {}, group_id = {}; ///< ids of a work-item that differs from the first one
};
thread_local ConvergenceCheck current;

void arrive(void*, const abi::Launch*, std::uint32_t reaches, std::uint64_t local_x, std::uint64_t local_y,
            std::uint64_t local_z, std::uint64_t group_x, std::uint64_t group_y, std::uint64_t group_z) {
  if (current.is_closed) current = {.is_closed = false, .first = reaches};
  if (current.counts[reaches]++ == 0 && reaches != current.first) {
    current.local_id = {local_x, local_y, local_z};
    current.group_id = {group_x, group_y, group_z};
  }
}

std::uint32_t convergence_result(void*, const abi::Launch* launch, const abi::CheckSite* site) {
  if (!current.is_closed && current.counts[0] && current.counts[1]) {
    Finding finding = finding_at(*launch, *site, current.local_id, current.group_id);
    finding.ways = {current.counts[1], current.counts[0]};
    note(finding);
  }
  current.is_closed = true;
  return current.first;
}

} // namespace

void forget_convergence_check() {
  current.is_closed = true;
}

void add_convergence_callbacks(abi::HostCallbacks& host_callbacks) {
  host_callbacks.convergence_arrive = arrive;
  host_callbacks.convergence_result = convergence_result;
}

} // namespace hostcl::runtime::checks
