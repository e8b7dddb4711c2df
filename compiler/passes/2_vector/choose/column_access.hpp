#pragma once

// Recognises column kernels: kernels that access memory contiguously along y and strided along x, because x is the row
// of a matrix:
//
//   int row = get_global_id(0), column = get_global_id(1);
//   c[row * n + column] = a[row * n + column] + b[row * n + column];
//
// For these kernels vectors lie along y, so that they are loaded and stored instead of gathered and scattered. If one
// matrix is accessed along x and another along y, as in a transposition, stores count more than loads.
//
// Gains: on Zen 4 this kernel gains 4.3, and a kernel in which each work-item adds up the numbers of a column 7.6; a
// transposition gains 2.6 on a Rocket Lake Xeon.
//
// Test: tests/kernels/groups/columns.cpp

#include <cstdint>

namespace llvm {
class Function;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;
struct Switches;

/// How work-items that are neighbours along a dimension access memory by a load or store.
enum class Along : std::uint8_t { uniform, contiguous, other };
Along along(unsigned dimension, const llvm::Instruction& access, LinearForms& forms);

/// Whether most accesses are contiguous (or, for loads, uniform) along y but not along x. Private memory does not
/// count.
bool reads_columns(const llvm::Function& kernel, const Switches& switches);

/// The number of rows of work-items that suits the kernel's loads and stores (group_size_agnostic.cpp), if lanes lie
/// along dimension `x` and rows along the other one of 0 and 1.
unsigned suitable_rows(const llvm::Function& kernel, const llvm::LoopInfo& loops, unsigned x);

} // namespace hostcl::compiler
