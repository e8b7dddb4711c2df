#include "compiler/passes/address_space_queries.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned global_space = 1, generic_space = 4;

/// Builds the i32 that goes with each pointer, once per pointer.
class Spaces {
public:
  explicit Spaces(Function& function) : i32_(Type::getInt32Ty(function.getContext())) {}

  Value* of(Value* pointer) {
    if (unsigned space = pointer->getType()->getPointerAddressSpace(); space != generic_space)
      return number(space);
    auto [known, is_new] = spaces_.try_emplace(pointer, nullptr);
    if (!is_new) return known->second;
    Value* space = compute(pointer);
    return spaces_[pointer] = space;
  }

private:
  Value* number(unsigned space) { return ConstantInt::get(i32_, space); }

  Value* compute(Value* pointer) {
    if (auto* cast = dyn_cast<AddrSpaceCastOperator>(pointer)) return of(cast->getPointerOperand());
    if (auto* address = dyn_cast<GEPOperator>(pointer)) return of(address->getPointerOperand());
    if (auto* freeze = dyn_cast<FreezeInst>(pointer)) return of(freeze->getOperand(0));
    if (auto* phi = dyn_cast<PHINode>(pointer)) return compute_phi(phi);
    if (auto* select = dyn_cast<SelectInst>(pointer)) {
      Value* if_true = of(select->getTrueValue());
      Value* if_false = of(select->getFalseValue());
      return IRBuilder<>(select).CreateSelect(select->getCondition(), if_true, if_false);
    }
    return number(global_space);
  }

  /// The phi is known before its operands are, so that loops end.
  Value* compute_phi(PHINode* pointer) {
    PHINode* phi = PHINode::Create(i32_, pointer->getNumIncomingValues(), "space", pointer->getIterator());
    spaces_[pointer] = phi;
    for (unsigned i = 0; i < pointer->getNumIncomingValues(); ++i)
      phi->addIncoming(of(pointer->getIncomingValue(i)), pointer->getIncomingBlock(i));
    return phi;
  }

  Type* i32_;
  DenseMap<Value*, Value*> spaces_;
};

bool answer_queries(Function& function) {
  Spaces spaces(function);
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!is_call_of(instruction, Intrinsic::address_space)) continue;
    instruction.replaceAllUsesWith(spaces.of(cast<CallBase>(instruction).getArgOperand(0)));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

bool is_event(const Type& type) {
  auto* target_type = dyn_cast<TargetExtType>(&type);
  return target_type && target_type->getName() == "spirv.Event";
}

bool drop_events(Function& function) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* store = dyn_cast<StoreInst>(&instruction);
        store && is_event(*store->getValueOperand()->getType())) {
      store->eraseFromParent();
      changed = true;
    } else if (is_event(*instruction.getType()) && !isa<CallBase>(instruction)) {
      instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
      instruction.eraseFromParent();
      changed = true;
    }
  }
  return changed;
}

} // namespace

PreservedAnalyses AddressSpaceQueriesPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = answer_queries(function);
  changed |= drop_events(function);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler
