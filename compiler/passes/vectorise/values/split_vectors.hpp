#pragma once

// Short vectors whose elements are mostly used one by one are split into scalars, of which each becomes a
// vector of lanes that needs no shuffle. A kernel that mostly moves whole vectors between memory and
// element-wise operations stays as it is.
//
// On a Xeon with AVX-512 (Emerald Rapids): n-body gains 9.0, filters of images 1.8 to 4.8, vectors of three numbers 2.5.

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

void split_short_vectors(llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace hostcl::compiler
