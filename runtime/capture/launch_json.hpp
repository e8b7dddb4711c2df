#pragma once

// launch.json, which describes a captured launch.

#include "runtime/capture/contents.hpp"
#include "runtime/object/device.hpp"

#include <string>

namespace hostcl::runtime::capture {

/// Describes the launch as it begins, and writes the files of its program to the folder.
/// @param number of the launch among those of its kernel
/// @returns JSON: one object
std::string description_of(const LaunchRecord& record, Device& device, const Contents& contents,
                           std::uint64_t number, const std::string& folder);

/// The name of the file with the contents of a part of memory. @param when "before" or "after" the launch
std::string file_of_part(std::size_t part, std::string_view when);

} // namespace hostcl::runtime::capture
