#pragma once

// Kernels whose x is the row of a matrix, as in
//
//   int row = get_global_id(0), column = get_global_id(1);
//   c[row * n + column] = a[row * n + column] + b[row * n + column];
//
// access consecutive places along y: vectors along y are loaded and stored, not gathered and scattered. On
// Zen 4 this kernel gains 4.3, and one in which each work-item adds up numbers of a column 7.6. Of a matrix that is
// transposed, the rows that are written count more than those that are read: 2.6 on a Rocket Lake Xeon.
// Test: tests/kernels/groups/columns.cpp

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// Whether most accesses to global memory are to neighbouring places along y, and are not along x.
bool reads_columns(const llvm::Function& kernel);

} // namespace hostcl::compiler
