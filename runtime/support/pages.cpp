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
  // AT_RANDOM points to random numbers in the stack of the first thread, which Linux places at the end of the address
  // space. So the highest bit of this address is the highest bit of all addresses.
  static const auto bits = static_cast<unsigned>(std::bit_width(getauxval(AT_RANDOM)));
  return bits;
#endif
}

} // namespace hostcl::runtime
