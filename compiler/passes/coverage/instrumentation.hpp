#pragma once

// Counts of executions in a kernel (HOSTCL_COVERAGE), from clang's instrumentation to the pass `coverage-counters`.

#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
class NamedMDNode;
} // namespace llvm

namespace hostcl::compiler {

/// Bits of a word of MC/DC's bitmaps. Clang may give a decision at most as many test vectors, so that their bits lie in
/// at most two words.
inline constexpr unsigned coverage_word_bits = 64;

/// A function of the source that has counters.
struct CoveredFunction {
  std::string name;
  std::uint64_t hash = 0;
  unsigned counters = 0, bits = 0; ///< numbers of counters and of bits in the bitmap

  unsigned words() const { return llvm::divideCeil(bits, coverage_word_bits); }
};

/// Lowers clang's instrumentation (`llvm.instrprof.*`) of a kernel and its callees to calls of
///
///   void @__hostcl_coverage_count(i32 counter, i64 step)   adds `step` to a counter
///   void @__hostcl_coverage_mark(i32 word, i64 bits)       sets bits of a bitmap of MC/DC
///
/// and records the functions to which the counters belong, in order, in the named metadata metadata::covered_functions:
/// name, hash, number of counters, bits of the bitmap. The calls access no memory that the kernel can see, but each
/// call must run as often as before, so passes may not remove the calls or merge two of them.
/// @param module the kernel with all functions that it can reach
void lower_instrumentation(llvm::Module& module);

/// The functions that lower_instrumentation() has recorded.
std::vector<CoveredFunction> covered_functions(const llvm::NamedMDNode& list);

/// Removes clang's instrumentation. A program binary that was built with coverage has instrumentation even if this
/// process runs without coverage.
void drop_instrumentation(llvm::Module& module);

} // namespace hostcl::compiler
