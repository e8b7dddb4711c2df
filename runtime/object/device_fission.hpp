#pragma once

// cl_ext_device_fission, from which OpenCL 1.2 took sub-devices: the same under other numbers.

#include "runtime/object/device.hpp"

namespace hostcl::runtime::fission {

using Properties = std::vector<cl_device_partition_property_ext>;

/// Answers of the extension's queries.
Properties partition_types(const Device& device);
Properties affinity_domains(const Device& device);
Properties partition_style(const Device& device);

/// The core's list for one of the extension; CL_INVALID_VALUE if there is none.
Result<std::vector<cl_device_partition_property>>
core_properties(const cl_device_partition_property_ext* properties);

/// The extension has error codes of its own.
cl_int error_code(cl_int core);

} // namespace hostcl::runtime::fission
