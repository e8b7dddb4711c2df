#include "runtime/support/pages.hpp"

#include <unistd.h>

namespace hostcl::runtime {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace hostcl::runtime
