#include "compiler/passes/2_vector/shapes/shape.hpp"

#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler {

using namespace llvm;

Shape Shape::make_affine(std::int64_t stride, unsigned bits, bool checked) {
  if (bits < 64) stride = SignExtend64(static_cast<std::uint64_t>(stride), bits);
  if (stride == 0) return checked ? make_varying() : make_uniform();
  return {affine, stride, checked};
}

} // namespace hostcl::compiler
