#include "compiler/passes/atomics/local_atomics.hpp"

#include "compiler/passes/preserved.hpp"
#include "compiler/passes/spaces.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool lower(Instruction& instruction) {
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction))
    return rmw->getPointerAddressSpace() == local_space && lowerAtomicRMWInst(rmw);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerAddressSpace() == local_space && lowerAtomicCmpXchgInst(exchange);
  if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic()) {
    if (load->getPointerAddressSpace() != local_space) return false;
    load->setAtomic(AtomicOrdering::NotAtomic);
    return true;
  }
  if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic()) {
    if (store->getPointerAddressSpace() != local_space) return false;
    store->setAtomic(AtomicOrdering::NotAtomic);
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses LocalAtomicsPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    changed |= lower(instruction);
  return all_but_values(changed);
}

} // namespace hostcl::compiler
