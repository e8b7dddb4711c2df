#pragma once

// The check that all work-items of a group pass the same value where OpenCL asks for it, for instance to a
// collective function (compiler/passes/checks/source/collectives.cpp).

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"

#include <array>
#include <cstdint>

namespace hostcl::runtime::checks {

/// Records the value that a work-item passes at a place in the code. If this is the n-th time that the work-item
/// reaches the place, the value is compared with that of the first work-item that reached the place for the n-th time.
/// @returns whether the values are equal; true if memory is short and nothing can be compared
bool is_uniform(const abi::Launch& launch, const abi::CheckSite& site, std::uint64_t value,
                const std::array<std::uint64_t, 3>& local_id, const std::array<std::uint64_t, 3>& group_id);

} // namespace hostcl::runtime::checks
