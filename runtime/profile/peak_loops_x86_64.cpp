#include "runtime/profile/peak_loops.hpp"

namespace hostcl::runtime::profile {

namespace {

#define HOSTCL_VERSIONS(qualifiers)                                                                          \
  [[gnu::noinline]] qualifiers float flops(float seed) {                                                     \
    return multiply_and_add(seed);                                                                           \
  }                                                                                                          \
  [[gnu::noinline]] qualifiers void stream(Vector* to, const Vector* a, const Vector* b, std::size_t n) {    \
    triad(to, a, b, n);                                                                                      \
  }
namespace avx512 {
HOSTCL_VERSIONS([[gnu::target("avx512f,avx2,fma")]])
}
namespace avx2 {
HOSTCL_VERSIONS([[gnu::target("avx2,fma")]])
}
namespace plain {
HOSTCL_VERSIONS()
}
#undef HOSTCL_VERSIONS

} // namespace

float flops(float seed) {
  return __builtin_cpu_supports("avx512f") ? avx512::flops(seed)
         : __builtin_cpu_supports("avx2")  ? avx2::flops(seed)
                                           : plain::flops(seed);
}

void stream(Vector* to, const Vector* a, const Vector* b, std::size_t count) {
  return __builtin_cpu_supports("avx512f") ? avx512::stream(to, a, b, count)
         : __builtin_cpu_supports("avx2")  ? avx2::stream(to, a, b, count)
                                           : plain::stream(to, a, b, count);
}

} // namespace hostcl::runtime::profile
