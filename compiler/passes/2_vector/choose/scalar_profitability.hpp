#pragma once

// Recognises kernels that are faster one work-item at a time, because gathers and scatters take at least as long as the
// same number of scalar accesses. A kernel that is not vectorised is in scalar form: one call runs one work-item. The
// table has the gain of the scalar form over vectors, the median of the kernels whose code the heuristic changes. The
// gains of records and walked_rows were measured on an Emerald Rapids Xeon with AVX2 code (with AVX-512 they are 1.0
// and 1.35), the gains of scattered_access on Zen 4:
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
// short_vectors: a kernel whose gathers and scatters would be very much code. If the CPU has no instruction for a
// gather or scatter, LLVM writes a scalar access for each lane, each in a block of its own because the lane may be
// inactive. The time of LLVM's register coalescer grows with the square of the number of such blocks. Gains on a Xeon
// with
// AVX-512: a kernel that sets up the table of RC4, 256 stores of bytes in a row, took 2.3 s to compile for 16 lanes, and
// takes 0.08 s with one work-item at a time; the tier 0 code of hashcat's m33500_s04 is compiled in 0.09 s instead of
// 1.8 s. Test: tests/passes/2_vector/choose/accesses_of_lanes.cl

namespace hostcl::compiler {

class Plan;

/// The reason why the kernel should run one work-item at a time; null if vectors are likely to pay.
const char* why_scalar(const Plan& plan);

/// A limit for the scalar accesses that gathers and scatters become (VectoriseOptions::most_accesses): this many take
/// about a tenth of a second to compile.
inline constexpr unsigned most_accesses_of_lanes = 512;

} // namespace hostcl::compiler
