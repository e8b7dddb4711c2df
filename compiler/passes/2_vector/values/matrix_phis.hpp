#pragma once

// Makes a cooperative matrix the same for all lanes where lanes come from different predecessors, or leave a loop after
// different iterations: it is the matrix of the first active lane. A phi of matrices becomes a variable, of which the
// lanes use that of the first one:
//
//   %m = phi <256 x float> [ %a, %left ], [ %b, %right ]
// becomes
//   in %left    store <256 x float> %a, ptr (the first active lane's %variable)
//   in %right   store <256 x float> %b, ptr (the first active lane's %variable)
//   here        %m = load <256 x float>, ptr (the first active lane's %variable)
//
// A select of matrices, which LLVM makes of such a phi, has the condition of the first active lane.
//
// Without the pass, each lane would have a matrix of its own: a vector of lanes times components.
//
// Test: tests/passes/2_vector/values/matrix_phis.ll

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;

/// @returns whether anything changed; the shapes must then be computed again
bool share_matrix_phis(llvm::Function& function, const Shapes& shapes);

} // namespace hostcl::compiler
