#pragma once

#include "runtime/object/cl.hpp"

#include <string_view>

namespace hostcl::icd {

/// The table that every object's dispatch pointer points to.
extern const cl_icd_dispatch dispatch;

/// Address of a function of the core API or of an extension that the platform has; null for other names.
void* function_address(std::string_view name);
/// Address of an extension's function alone, as clGetExtensionFunctionAddress returns it.
void* extension_function_address(std::string_view name);

} // namespace hostcl::icd
