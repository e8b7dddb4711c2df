#pragma once

// Values that all work-items of a group have to have alike (compiler/passes/checks/collectives.hpp).

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"

#include <array>
#include <cstdint>

namespace hostcl::runtime::checks {

/// Notes a work-item's value. @returns whether it is that of the first work-item of the group which came as often to this
/// place in the code, or there is no memory to tell
bool agrees(const abi::Launch& launch, const abi::CheckSite& site, std::uint64_t value,
            const std::array<std::uint64_t, 3>& local_id, const std::array<std::uint64_t, 3>& group_id);

} // namespace hostcl::runtime::checks
