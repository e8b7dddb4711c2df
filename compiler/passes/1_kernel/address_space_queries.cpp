// Answers `__hostcl_address_space` (docs/kernel-ir.md): the number of the address space that a generic pointer points
// into. OpenCL C's to_global(), to_local() and to_private() need the number. An address on the host does not tell its
// space at run time. The pass therefore computes the number beside the pointer: it follows the pointer back to the
// casts into the generic space, and builds a phi or a select of numbers for each phi or select of pointers.
//
//   before: %p = phi ptr addrspace(4) [ %cast_of_local, %a ], [ %cast_of_global, %b ]
//           %s = call i32 @__hostcl_address_space(ptr addrspace(4) %p)
//   after:  %s = phi i32 [ 3, %a ], [ 1, %b ]
//
// Runs after inlining, so that the casts are in the same function. A generic pointer whose casts are not visible
// (loaded from memory, or an argument) counts as a pointer to global memory.
//
// The pass also removes values of event type, for which the host has no type. An event carries no information here:
// async copies are complete when they return.
//
// Tests: tests/passes/1_kernel/address_space_queries*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Builds the number (i32) of each pointer's address space, once per pointer.
class Spaces {
public:
  explicit Spaces(Function& function) : i32_(Type::getInt32Ty(function.getContext())) {}

  Value* of(Value* pointer) {
    pointer = base_of(pointer);
    if (unsigned space = pointer->getType()->getPointerAddressSpace(); space != generic_space)
      return number(space);
    if (Value* known = spaces_.lookup(pointer)) return known;
    if (auto* phi = dyn_cast<PHINode>(pointer)) return build_phi(phi);
    if (auto* select = dyn_cast<SelectInst>(pointer)) return build_select(select);
    return number(global_space);
  }

private:
  Value* number(unsigned space) { return ConstantInt::get(i32_, space); }

  /// Follows casts, address arithmetic and freezes back, until a pointer is not generic or its operation has no single
  /// pointer operand.
  static Value* base_of(Value* pointer) {
    while (pointer->getType()->getPointerAddressSpace() == generic_space) {
      if (auto* cast = dyn_cast<AddrSpaceCastOperator>(pointer))
        pointer = cast->getPointerOperand();
      else if (auto* address = dyn_cast<GEPOperator>(pointer))
        pointer = address->getPointerOperand();
      else if (auto* freeze = dyn_cast<FreezeInst>(pointer))
        pointer = freeze->getOperand(0);
      else
        break;
    }
    return pointer;
  }

  // The new phi or select is entered into spaces_ before its operands are visited: in a loop the recursion reaches the
  // same pointer again, and ends there.
  Value* build_phi(PHINode* pointer) {
    PHINode* phi = PHINode::Create(i32_, pointer->getNumIncomingValues(), "space", pointer->getIterator());
    spaces_[pointer] = phi;
    for (unsigned i = 0; i < pointer->getNumIncomingValues(); ++i)
      phi->addIncoming(of(pointer->getIncomingValue(i)), pointer->getIncomingBlock(i));
    return phi;
  }

  Value* build_select(SelectInst* pointer) {
    Value* unknown = PoisonValue::get(i32_);
    auto* select =
        SelectInst::Create(pointer->getCondition(), unknown, unknown, "space", pointer->getIterator());
    spaces_[pointer] = select;
    select->setTrueValue(of(pointer->getTrueValue()));
    select->setFalseValue(of(pointer->getFalseValue()));
    return select;
  }

  Type* i32_;
  DenseMap<Value*, Value*> spaces_;
};

bool is_event(const Type& type) {
  auto* target_type = dyn_cast<TargetExtType>(&type);
  return target_type && target_type->getName() == "spirv.Event";
}

} // namespace

/// LLVM's pass. The generic address space is a parameter, because the host's TargetTransformInfo does not have one.
PreservedAnalyses infer_generic_space_pass(Function& function, FunctionAnalysisManager& analyses) {
  return InferAddressSpacesPass(generic_space).run(function, analyses);
}

PreservedAnalyses address_space_queries_pass(Function& function, FunctionAnalysisManager&) {
  Spaces spaces(function);
  return change_each(function, [&](Instruction& instruction) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    if (is_call_of(instruction, Intrinsic::address_space))
      instruction.replaceAllUsesWith(spaces.of(cast<CallBase>(instruction).getArgOperand(0)));
    else if (is_event(*instruction.getType()) && !isa<CallBase>(instruction))
      instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
    else if (!store || !is_event(*store->getValueOperand()->getType()))
      return false;
    instruction.eraseFromParent();
    return true;
  });
}

} // namespace hostcl::compiler
