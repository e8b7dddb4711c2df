#include "doctor/machine_code.hpp"

namespace hostcl::doctor {

std::span<const unsigned char> function_of_42() {
  static constexpr unsigned char code[] = {0x40, 0x05, 0x80, 0x52,
                                           0xc0, 0x03, 0x5f, 0xd6}; // mov w0, #42; ret
  return code;
}

} // namespace hostcl::doctor
