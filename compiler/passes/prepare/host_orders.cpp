#include "compiler/passes/prepare/host_orders.hpp"

#include "compiler/heuristics.hpp"
#include "compiler/host.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

void strengthen(Instruction& instruction) {
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (isStrongerThanMonotonic(update->getOrdering()))
      update->setOrdering(AtomicOrdering::SequentiallyConsistent);
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    if (!isStrongerThanMonotonic(exchange->getMergedOrdering())) return;
    exchange->setSuccessOrdering(AtomicOrdering::SequentiallyConsistent);
    exchange->setFailureOrdering(AtomicOrdering::SequentiallyConsistent);
  }
}

} // namespace

PreservedAnalyses HostOrdersPass::run(Function& function, FunctionAnalysisManager&) {
  if (!host_is_x86 || !is_on(Heuristic::host_orders)) return PreservedAnalyses::all();
  for (Instruction& instruction : instructions(function))
    strengthen(instruction);
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
