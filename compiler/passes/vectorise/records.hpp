#pragma once

// Arrays of structures: the lanes' parts of a record are far from each other, and a gather or scatter of 16
// lanes takes as long as 16 single accesses.

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;

/// Whether the kernel does little but read and write such records, so that one work-item at a time is faster.
/// Kernels with loops do more. Test: tests/passes/vectorise_records.ll
bool moves_records(const llvm::Function& kernel, const llvm::LoopInfo& loops, const Shapes& shapes);

} // namespace hostcl::compiler
