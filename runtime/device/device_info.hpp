#pragma once

// The tables for clGetDeviceInfo besides that of device_info.cpp.

#include "runtime/device/device.hpp"
#include "runtime/object/info.hpp"

#include <span>

namespace hostcl::runtime {

std::span<const Row<Device>> execution_rows();
std::span<const Row<Device>> memory_rows();
std::span<const Row<Device>> extension_rows();

} // namespace hostcl::runtime
