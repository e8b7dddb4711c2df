#include "builtins/library.hpp"

extern "C" {
// Forms in math/huge_angles.clcpp.
#define HUGE_ANGLES(form)                                                                                    \
  double __hostcl_of_huge_angle##form(double x, int function);                                               \
  void __hostcl_of_huge_angles##form(const double* x, double* y, int count, int function);
HUGE_ANGLES()
HUGE_ANGLES(_avx2)
HUGE_ANGLES(_avx512)
}

namespace hostcl::builtins {

HugeAngleFunctions huge_angle_functions() {
  if (__builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512cd"))
    return {__hostcl_of_huge_angle_avx512, __hostcl_of_huge_angles_avx512};
  if (__builtin_cpu_supports("x86-64-v3")) return {__hostcl_of_huge_angle_avx2, __hostcl_of_huge_angles_avx2};
  return {__hostcl_of_huge_angle, __hostcl_of_huge_angles};
}

} // namespace hostcl::builtins
