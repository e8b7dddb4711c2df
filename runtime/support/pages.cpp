#include "runtime/support/pages.hpp"

#include <bit>

#include <sys/auxv.h>
#include <unistd.h>

namespace hostcl::runtime {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

unsigned address_bits() {
#if defined(__x86_64__)
  return 47;
#else
  // Linux places the stack of the first thread, and the random numbers that AT_RANDOM points to, at the end.
  static const auto bits = static_cast<unsigned>(std::bit_width(getauxval(AT_RANDOM)));
  return bits;
#endif
}

} // namespace hostcl::runtime
