#include "compiler/front/spirv/support.hpp"
namespace hostcl::compiler::spirv {
bool is_supported_capability(std::uint32_t) {
  return true;
}
std::string_view capability_name(std::uint32_t) {
  return "";
}
bool is_supported_extension(std::string_view) {
  return true;
}
} // namespace hostcl::compiler::spirv
