#pragma once

#include <cstdint>
#include <string_view>

namespace hostcl::compiler::spirv {

bool is_supported_capability(std::uint32_t capability);
std::string_view capability_name(std::uint32_t capability);
bool is_supported_extension(std::string_view name);

} // namespace hostcl::compiler::spirv
