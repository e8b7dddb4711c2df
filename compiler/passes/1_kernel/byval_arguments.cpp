// Gives a kernel that modifies a structure parameter passed by value (`byval`) a private copy for each work-item. The
// argument block, which holds the structure, is shared by all work-items of a launch, so it must not be written. A
// structure that the kernel only reads stays in the argument block.
//
//   before:  define spir_kernel void @k(ptr byval(%S) align 8 %s) {
//              store i32 1, ptr %s
//   after:     %s.own = alloca %S, align 8
//              call void @llvm.memcpy(ptr %s.own, ptr %s, i64 sizeof(S))
//              store i32 1, ptr %s.own
//
// A function that is still called after inlining loses `byval` and always copies the structure itself. With `byval`,
// the code generator would have every caller copy the structure to the stack, however large it is.
//
// Runs right after inlining, before optimisations of private memory, which may then remove the copy.
//
// Tests: tests/passes/1_kernel/byval_arguments*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

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

bool give_own_copies(Function& kernel) {
  bool changed = false;
  for (Argument& argument : kernel.args()) {
    if (!argument.hasByValAttr() || !is_modified(argument)) continue;
    give_own_copy(argument);
    changed = true;
  }
  return changed;
}

/// Adds to the memory effects of a function or call that it reads the memory that its arguments point to.
template <class T>
void note_reads(T& function) {
  const MemoryEffects effects = function.getMemoryEffects() | MemoryEffects::argMemOnly(ModRefInfo::Ref);
  if (effects != function.getMemoryEffects()) function.setMemoryEffects(effects);
}

/// Moves the copy of `byval` structures from the callers into the function. A function whose address is taken keeps
/// `byval`, because not all of its calls are known.
bool copy_in_callee(Function& function) {
  if (function.hasAddressTaken()) return false;
  bool changed = false;
  for (Argument& argument : function.args()) {
    if (!argument.hasByValAttr()) continue;
    give_own_copy(argument);
    argument.removeAttr(Attribute::ByVal);
    note_reads(function);
    for (User* user : function.users()) {
      auto& call = cast<CallBase>(*user);
      call.removeParamAttr(argument.getArgNo(), Attribute::ByVal);
      note_reads(call);
    }
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses byval_arguments_pass(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : module)
    if (!function.isDeclaration())
      changed |= is_kernel_body(function) ? give_own_copies(function) : copy_in_callee(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
