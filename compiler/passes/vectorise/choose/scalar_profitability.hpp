#pragma once

// Memory in which the data of different lanes lie apart, while the data of one lane lie together: arrays of
// structures, rows of sparse matrices. A gather or scatter of 16 lanes takes as long as 16 single accesses.

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;

/// Whether the kernel does little but read and write such records, so that one work-item at a time is faster.
/// Kernels with loops do more. Test: tests/passes/vectorise_records.ll
bool moves_records(const llvm::Function& kernel, const llvm::LoopInfo& loops, const Shapes& shapes);

/// Whether a loop reads several rows of numbers, of each lane's own and of its own length, and does little
/// with them: lanes that have finished cost as much as the others. Test: tests/passes/vectorise_rows.ll
bool walks_rows(const llvm::LoopInfo& loops, const Shapes& shapes);

/// Whether the kernel writes to places that lie apart, or reads bytes or 16-bit numbers there, with little
/// else to do; inner loops count more than outer ones. For hosts whose scatters and gathers take several
/// times as long as as many single accesses. Not where a loop waits for each load before the next, as
/// checksums by table do. Test: tests/passes/vectorise_scatters.ll
bool mostly_scattered_access(const llvm::Function& kernel, const llvm::LoopInfo& loops, const Shapes& shapes,
                             unsigned width);

} // namespace hostcl::compiler
