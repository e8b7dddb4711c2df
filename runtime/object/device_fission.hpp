#pragma once

// cl_ext_device_fission, the predecessor of the sub-devices of OpenCL 1.2: the same with other constants.

#include "runtime/object/device.hpp"

namespace hostcl::runtime::fission {

using Properties = std::vector<cl_device_partition_property_ext>;

/// Answers to the queries of the extension.
Properties partition_types(const Device& device);
Properties affinity_domains(const Device& device);
Properties partition_style(const Device& device);

/// The property list of OpenCL for a list of the extension; CL_INVALID_VALUE if there is none.
Result<std::vector<cl_device_partition_property>>
core_properties(const cl_device_partition_property_ext* properties);

/// The extension's error code for an error code of OpenCL.
cl_int error_code(cl_int core);

} // namespace hostcl::runtime::fission
