#pragma once

// The answers of clGetDeviceInfo().

#include "runtime/object/device.hpp"
#include "runtime/object/info.hpp"

#include <span>

namespace hostcl::runtime {

Status device_info(const Device& device, cl_device_info name, Answer answer);

/// Gives one of the device's limits, as the answer of a row.
template <auto member>
inline constexpr auto limit = [](const Device& device) { return device.limits().*member; };

// The rows that are in other files than device_info.cpp.
std::span<const Row<Device>> execution_rows();
std::span<const Row<Device>> memory_rows();
std::span<const Row<Device>> extension_rows();

} // namespace hostcl::runtime
