#pragma once

// Loops that update memory by compare-exchange become one atomic operation where there is one for it, as in
// the addition of floats that kernels have to write themselves before OpenCL 2.0:
//
//   loop:
//     %expected = phi i32 [ %first, %before ], [ %seen, %loop ]
//     %sum = fadd float (bitcast %expected), %x    =>    %old = atomicrmw fadd ptr %p, float %x monotonic
//     %pair = cmpxchg ptr %p, i32 %expected, i32 (bitcast %sum) monotonic monotonic
//     %seen = extractvalue %pair, 0
//     br (extractvalue %pair, 1), %done, %loop
//
// `expected` may as well be loaded from %p in each round; the load then stays, done once. Later passes can
// combine the operation, but for what rounds: its operations on memory are the ones that the kernel asked
// for, in some order (the mark `hostcl.serial`).
//
// In: a kernel in SSA form. Tests: tests/passes/exchange_loops.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class AtomicRMWInst;
} // namespace llvm

namespace hostcl::compiler {

/// Whether operands must not be combined before they meet what is in memory.
bool is_serial(const llvm::AtomicRMWInst& update);

struct ExchangeLoopsPass : llvm::PassInfoMixin<ExchangeLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
