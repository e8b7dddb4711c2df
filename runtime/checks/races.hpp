#pragma once

// The host's part of the check for races (compiler/passes/checks/races.hpp).

#include "compiler/abi/launch.hpp"

#include <memory>

namespace hostcl::runtime::checks {

/// What the groups of a launch know of each other while races are checked.
/// @param range as groups run
std::shared_ptr<abi::RaceLaunch> race_launch(const abi::NDRange& range);

void add_race_services(abi::Services& services);

} // namespace hostcl::runtime::checks
