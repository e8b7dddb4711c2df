#include "runtime/program/nd_range.hpp"

#include <algorithm>

namespace hostcl::runtime {

void set_local_size(abi::NDRange& range, const std::array<std::uint64_t, 3>& local) {
  for (int i = 0; i < 3; ++i) {
    range.local_size[i] = local[i];
    const std::uint64_t global = range.global_size[i];
    range.group_count[i] = global == local[i] ? 1 : global / local[i] + (global % local[i] != 0);
  }
}

abi::NDRange single_group(std::array<std::size_t, 3> local_size) {
  abi::NDRange range{};
  range.work_dim = 3;
  std::ranges::copy(local_size, range.global_size);
  set_local_size(range, {local_size[0], local_size[1], local_size[2]});
  return range;
}

} // namespace hostcl::runtime
