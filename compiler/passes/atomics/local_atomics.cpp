// Lowers atomics on local memory to ordinary accesses: all work-items of a group run on one thread, and no other thread
// can access the group's local memory. Runs on kernels that were not vectorised, and on vectorised kernels after the
// vectoriser has split atomics into lanes.
//
//   before: %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
//   after:  %old = load i32, ptr addrspace(3) %cell
//           %sum = add i32 %old, 1
//           store i32 %sum, ptr addrspace(3) %cell
//
// Accesses through generic pointers stay atomic, because their memory may be global. LLVM's LowerAtomic pass does the
// same for a single-threaded program.
//
// Tests: tests/passes/atomics/local_atomics*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool lower(Instruction& instruction) {
  if (!instruction.isAtomic() || !accesses_local(instruction)) return false;
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return lowerAtomicRMWInst(update);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return lowerAtomicCmpXchgInst(exchange);
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    load->setAtomic(AtomicOrdering::NotAtomic);
  else
    cast<StoreInst>(instruction).setAtomic(AtomicOrdering::NotAtomic);
  return true;
}

} // namespace

PreservedAnalyses local_atomics_pass(Function& function, FunctionAnalysisManager&) {
  return change_each(function, lower);
}

} // namespace hostcl::compiler
