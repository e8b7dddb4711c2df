#include "compiler/passes/prepare/byval_arguments.hpp"

#include "compiler/passes/kernel_shape.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool only_reads(const Use& use) {
  auto* user = use.getUser();
  if (auto* transfer = dyn_cast<MemTransferInst>(user)) return &use == &transfer->getRawSourceUse();
  auto* call = dyn_cast<CallBase>(user);
  if (call && call->isDataOperand(&use)) {
    unsigned number = call->getDataOperandNo(&use);
    return call->onlyReadsMemory(number) && call->doesNotCapture(number);
  }
  return isa<LoadInst, ICmpInst>(user);
}

bool is_modified(const Argument& argument) {
  SetVector<const Value*> pointers;
  pointers.insert(&argument);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (const Use& use : pointers[i]->uses()) {
      if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(use.getUser()))
        pointers.insert(use.getUser());
      else if (!only_reads(use))
        return true;
    }
  return false;
}

void give_own_copy(Argument& argument) {
  Function& kernel = *argument.getParent();
  const DataLayout& layout = kernel.getDataLayout();
  Type* type = argument.getParamByValType();
  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
  AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".own");
  Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
  copy->setAlignment(alignment);
  Value* pointer = builder.CreateAddrSpaceCast(copy, argument.getType());
  argument.replaceAllUsesWith(pointer);
  builder.CreateMemCpy(copy, alignment, &argument, alignment, layout.getTypeAllocSize(type).getFixedValue());
}

} // namespace

PreservedAnalyses ByvalArgumentsPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  bool changed = false;
  for (Argument& argument : function.args()) {
    if (!argument.hasByValAttr() || !is_modified(argument)) continue;
    give_own_copy(argument);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
