#pragma once

// Recognises kernels that are faster one work-item at a time, because gathers and scatters take at least as long as the
// same number of scalar accesses. A kernel that is not vectorised is in scalar form: one call runs one work-item. The
// gains are those of the scalar form over vectors, as the median of each heuristic's users: records and walked_rows on
// an Emerald Rapids Xeon with AVX2 code (with AVX-512 1.0 and 1.35), scattered_access on Zen 4:
//
//   records      b[i].place[k] = a[i].place[k] + ...       2.8         vectorise_records.ll
//   walked_rows  sum += value[k] * x[column[k]], k from     6.6         vectorise_rows.ll
//                begin[row] to begin[row + 1]
//   scattered_access  b[to[i]] = a[i]                       1.8         vectorise_scatters.ll
//                     b[i] = table[at[i]], bytes            1.5
//
// records: a kernel without loops that mostly copies elements of large records (array of structures).
// walked_rows: a loop in which each lane reads a row of its own length (compressed sparse rows).
// scattered_access: a kernel that mostly scatters, or gathers elements of 8 or 16 bits.

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;
struct VectoriseOptions;

/// The reason why the kernel is likely to be faster one work-item at a time; null if vectors are likely to pay.
const char* why_scalar(const llvm::Function& kernel, const llvm::LoopInfo& loops, const Shapes& shapes,
                       const VectoriseOptions& options);

} // namespace hostcl::compiler
