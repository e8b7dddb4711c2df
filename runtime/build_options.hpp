#pragma once

// The little that the runtime itself reads of build options.

#include <string>
#include <string_view>

namespace hostcl::runtime {

/// Whether work-groups must divide the NDRange: so in OpenCL C 1.x, which is the default, and with
/// -cl-uniform-work-group-size.
bool requires_uniform(std::string_view options);

/// The options of clBuildProgram that are for the linker as well.
std::string link_part(std::string_view options);

} // namespace hostcl::runtime
