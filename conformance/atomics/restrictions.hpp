#pragma once

#include "conformance/atomics/report.hpp"
#include "conformance/support/device.hpp"

namespace conformance {

/// What the specification forbids must not compile, and the log has to name the line; what looks like it and
/// is allowed must compile.
void run_restrictions(const Device& device, const std::string& filter, Report& report);

} // namespace conformance
