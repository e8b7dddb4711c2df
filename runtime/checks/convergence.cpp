#include "runtime/checks/convergence.hpp"

#include "runtime/checks/findings.hpp"

#include <array>

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;

/// The check of the group that runs on the calling thread. The kernel asks for the result after the last work-item has
/// arrived, and before the first work-item arrives at the next check.
struct ConvergenceCheck {
  bool is_closed = true;
  std::uint32_t first = 0; ///< whether the first work-item goes on to the barrier
  std::array<std::uint32_t, 2> counts = {};
  Id local_id = {}, group_id = {}; ///< ids of a work-item that goes another way than the first
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
