#pragma once

// Short vectors whose elements are mostly used one by one are split into scalars, of which each becomes a
// vector of lanes that needs no shuffle. A kernel that mostly moves whole vectors between memory and
// element-wise operations stays as it is.

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

void split_short_vectors(llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace hostcl::compiler
