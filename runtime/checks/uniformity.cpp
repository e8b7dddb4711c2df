#include "runtime/checks/uniformity.hpp"

#include <new>
#include <unordered_map>
#include <vector>

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;

/// The values at one place in a kernel's code. A work-item may reach the place several times, for example in a loop.
struct Values {
  std::vector<std::uint64_t> first;  ///< for each time: value of the work-item that reached the place first
  std::vector<std::uint32_t> counts; ///< how often each work-item has reached the place, by linear local id
};

/// The values of the group that runs on the calling thread.
struct GroupValues {
  std::uint64_t launch = 0; ///< number of the launch
  Id group_id = {};
  std::unordered_map<const abi::CheckSite*, Values> values;
};
thread_local GroupValues current;

bool compare(const abi::Launch& launch, const abi::CheckSite& site, std::uint64_t value, const Id& local_id,
             const Id& group_id) {
  if (current.launch != launch.number || current.group_id != group_id)
    current = {launch.number, group_id, {}};
  const auto& sizes = launch.range.local_size;
  const std::uint64_t linear = local_id[0] + sizes[0] * (local_id[1] + sizes[1] * local_id[2]);
  Values& values = current.values[&site];
  if (values.counts.size() <= linear) values.counts.resize(linear + 1);
  const std::uint32_t time = values.counts[linear]++;
  if (time < values.first.size()) return values.first[time] == value;
  values.first.push_back(value);
  return true;
}

} // namespace

bool is_uniform(const abi::Launch& launch, const abi::CheckSite& site, std::uint64_t value,
                const Id& local_id, const Id& group_id) {
  try {
    return compare(launch, site, value, local_id, group_id);
  } catch (const std::bad_alloc&) {
    return true;
  }
}

} // namespace hostcl::runtime::checks
