#include "runtime/profile/peak_loops.hpp"

namespace hostcl::runtime::profile {

float flops(float seed) {
  return multiply_and_add(seed);
}

void stream(Vector* to, const Vector* a, const Vector* b, std::size_t count) {
  triad(to, a, b, count);
}

} // namespace hostcl::runtime::profile
