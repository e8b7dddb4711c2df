#pragma once

#include <string_view>

namespace hostcl::compiler {

/// Whether CL_DEVICE_EXTENSIONS names this extension of language_extensions(). The other extensions are supported, but
/// left out, because the list has to fit 2,048 bytes.
bool is_in_device_list(std::string_view extension);

} // namespace hostcl::compiler
