#pragma once

// Parts of coverage.hpp that only its own sources use: files in the folder of coverage data.

#include <string>
#include <string_view>

namespace hostcl::runtime::coverage {

/// Replaces a file in one step. @returns 0, or an errno value
int write_file(const std::string& name, std::string_view content);

/// Makes has_data() true.
void note_data();

/// Reads the setting, makes the folder, and arranges that reports are made when the process ends.
void begin();

} // namespace hostcl::runtime::coverage
