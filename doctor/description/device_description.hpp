#pragma once

// hostcl-doctor --report: writes the description of a device of this machine, for HOSTCL_DEVICE on another machine.

#include "doctor/loader.hpp"

#include <optional>
#include <string>

namespace hostcl::doctor {

/// A device by its number among the devices of a platform, and the platform by its number in the loader's order.
struct DeviceChoice {
  unsigned platform, device;
};

/// Parses PLATFORM:DEVICE, two numbers; no value for other texts.
std::optional<DeviceChoice> parsed_choice(llvm::StringRef text);

/// Writes a device description (devices/device.schema.json).
/// @param choice no value: the first device of the platform hostcl
/// @param file "-" for standard output
/// @returns why there is no description, or an empty text
std::string write_description(const Loader& loader, std::optional<DeviceChoice> choice,
                              const std::string& file);

} // namespace hostcl::doctor
