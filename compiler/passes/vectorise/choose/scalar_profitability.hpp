#pragma once

// Kernels that are faster one work-item at a time: vectors gather and scatter what lies apart, which takes at
// least as long as the same number of scalar accesses. Gains of the scalar form, as the median of each heuristic's users:
// records and walked_rows on an Emerald Rapids Xeon with AVX2 code (with AVX-512 1.0 and 1.35), scattered_access on Zen 4:
//
//   records      b[i].place[k] = a[i].place[k] + ...       2.8         vectorise_records.ll
//   walked_rows  sum += value[k] * x[column[k]], k from     6.6         vectorise_rows.ll
//                begin[row] to begin[row + 1]
//   scattered_access  b[to[i]] = a[i]                       1.8         vectorise_scatters.ll
//                     b[i] = table[at[i]], bytes            1.5

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;

/// Why the kernel is likely to be faster one work-item at a time; null if it is not.
/// @param slow_scattered_access as Capabilities has it
const char* why_scalar(const llvm::Function& kernel, const llvm::LoopInfo& loops, const Shapes& shapes,
                       unsigned width, bool slow_scattered_access);

} // namespace hostcl::compiler
