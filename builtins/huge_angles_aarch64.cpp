#include "builtins/library.hpp"

extern "C" {
// In math/huge_angles.clcpp.
double __hostcl_of_huge_angle(double x, int function);
void __hostcl_of_huge_angles(const double* x, double* y, int count, int function);
}

namespace hostcl::builtins {

HugeAngleFunctions huge_angle_functions() {
  return {__hostcl_of_huge_angle, __hostcl_of_huge_angles};
}

} // namespace hostcl::builtins
