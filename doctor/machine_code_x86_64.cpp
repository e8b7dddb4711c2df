#include "doctor/machine_code.hpp"

namespace hostcl::doctor {

std::span<const unsigned char> function_of_42() {
  static constexpr unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3}; // mov $42, %eax; ret
  return code;
}

} // namespace hostcl::doctor
