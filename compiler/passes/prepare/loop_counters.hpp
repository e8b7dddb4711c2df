#pragma once

// The part of `canonical-indices` that is about loops, see canonical_indices.hpp.

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// Makes 32-bit counters of 64-bit ones whose high bits are not used. @returns whether anything changed
bool narrow_counters(llvm::Loop& loop);

/// Makes indices of the pointers that the loop moves on. @returns whether anything changed
bool count_instead_of_moving(llvm::Loop& loop, const llvm::LoopInfo& loops);

} // namespace hostcl::compiler
