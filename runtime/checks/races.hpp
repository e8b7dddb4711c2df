#pragma once

// Host callbacks of the race check (compiler/passes/checks/races.cpp).

#include "compiler/abi/launch.hpp"

#include <memory>

namespace hostcl::runtime::checks {

/// The state that the groups of a launch share for the race check.
/// @param range the sizes of the groups as they run
std::shared_ptr<abi::RaceLaunch> race_launch(const abi::NDRange& range);

void add_race_callbacks(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime::checks
