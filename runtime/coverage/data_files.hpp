#pragma once

// Parts of coverage.hpp that only its own sources use: files in the folder of coverage data.

namespace hostcl::runtime::coverage {

/// Makes has_data() true.
void note_data();

/// Reads the setting, makes the folder, and arranges that reports are made when the process ends.
void begin();

} // namespace hostcl::runtime::coverage
