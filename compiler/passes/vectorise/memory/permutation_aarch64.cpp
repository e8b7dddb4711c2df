#include "compiler/passes/vectorise/memory/permutation.hpp"

namespace hostcl::compiler {

llvm::Intrinsic::ID whole_permutation(unsigned, unsigned) {
  return llvm::Intrinsic::not_intrinsic; // Capabilities::permutes is false, too
}

} // namespace hostcl::compiler
