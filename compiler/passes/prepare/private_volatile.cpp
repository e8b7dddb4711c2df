#include "compiler/passes/prepare/private_volatile.hpp"

#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_volatile(const Instruction& access) {
  if (const auto* load = dyn_cast<LoadInst>(&access)) return load->isVolatile();
  if (const auto* store = dyn_cast<StoreInst>(&access)) return store->isVolatile();
  const auto* memory = dyn_cast<MemIntrinsic>(&access);
  return memory && memory->isVolatile();
}

/// The volatile accesses to the variable; none if its address is used by anything but accesses. A memcpy or memmove
/// stays volatile: the flag may be meant for the other memory.
SmallVector<Instruction*, 8> accesses_to(AllocaInst& variable) {
  SmallVector<Instruction*, 8> found;
  SetVector<Value*> pointers;
  pointers.insert(&variable);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (const Use& use : pointers[i]->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user)) {
        pointers.insert(user);
        continue;
      }
      if (user->isLifetimeStartOrEnd() || isa<MemTransferInst>(user)) continue;
      const bool is_access =
          isa<LoadInst, MemSetInst>(user) ||
          (isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex());
      if (!is_access) return {};
      if (is_volatile(*user)) found.push_back(user);
    }
  return found;
}

void make_plain(LoadInst& load) {
  load.setVolatile(false);
  if (!load.getType()->isFPOrFPVectorTy()) return;
  IRBuilder<> builder(load.getNextNode());
  Instruction* fence = builder.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {load.getType()}, {&load});
  load.replaceUsesWithIf(fence, [&](const Use& use) { return use.getUser() != fence; });
}

void make_plain(Instruction& access) {
  if (auto* load = dyn_cast<LoadInst>(&access))
    make_plain(*load);
  else if (auto* store = dyn_cast<StoreInst>(&access))
    store->setVolatile(false);
  else
    cast<MemIntrinsic>(access).setVolatile(ConstantInt::getFalse(access.getContext()));
}

} // namespace

PreservedAnalyses PrivateVolatilePass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_on(Heuristic::private_volatile)) return PreservedAnalyses::all();
  SmallVector<Instruction*, 8> all;
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) all.append(accesses_to(*variable));
  for (Instruction* access : all)
    make_plain(*access);
  if (!note_change(Heuristic::private_volatile, !all.empty())) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler
