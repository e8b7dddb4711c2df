#pragma once

#include "conformance/atomics/report.hpp"
#include "conformance/support/device.hpp"

namespace conformance {

/// The atomic_* functions of OpenCL 1.1 and the atom_* functions of the 32-bit and 64-bit extensions, in one
/// language version: each with local and global objects, volatile or not.
void run_legacy(const Device& device, const std::string& standard, const std::string& filter, Report& report);

} // namespace conformance
