#include "compiler/passes/checks/bounds.hpp"

#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/places.hpp"
#include "compiler/passes/kernel_shape.hpp"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// One memory operand of an instruction.
struct MemoryAccess {
  Instruction* instruction;
  Value* pointer;
  Value* bytes; ///< i64
  abi::Access kind;
};

/// The accesses of the kernel, in the order of its instructions.
SmallVector<MemoryAccess, 32> accesses_of(Function& kernel) {
  const DataLayout& layout = kernel.getDataLayout();
  Type* i64 = Type::getInt64Ty(kernel.getContext());
  SmallVector<MemoryAccess, 32> found;
  auto add = [&](Instruction& instruction, Value* pointer, Type* type, abi::Access kind) {
    found.push_back(
        {&instruction, pointer, ConstantInt::get(i64, layout.getTypeStoreSize(type).getFixedValue()), kind});
  };
  for (Instruction& instruction : instructions(kernel)) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      add(instruction, load->getPointerOperand(), load->getType(), abi::Access::read);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      add(instruction, store->getPointerOperand(), store->getValueOperand()->getType(), abi::Access::write);
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), update->getType(), abi::Access::update);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          abi::Access::update);
    } else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
      found.push_back({&instruction, memory->getRawDest(), memory->getLength(), abi::Access::write});
      if (auto* copy = dyn_cast<MemTransferInst>(memory))
        found.push_back({&instruction, copy->getRawSource(), memory->getLength(), abi::Access::read});
    }
  }
  return found;
}

/// An access with what it is compared with.
struct Checked {
  MemoryAccess access;
  Place place;
  Value *position, *right;
};

class BoundsChecker {
public:
  BoundsChecker(Function& kernel, ScalarEvolution& evolution) : places_(kernel), evolution_(evolution) {}

  void check(const MemoryAccess& access);
  void check_if_certain(const MemoryAccess& access);
  void write();

private:
  Checked compare(const MemoryAccess& access);
  bool is_proved(const Checked& checked);

  Places places_;
  ScalarEvolution& evolution_;
  SmallVector<Checked, 32> checked_;
};

/// Writes the condition in front of the access.
Checked BoundsChecker::compare(const MemoryAccess& access) {
  const Place place = places_.of(*access.pointer);
  IRBuilder<> builder(access.instruction);
  Value* position = place.position(builder);
  Value* bytes = builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty());
  Value* right;
  if (auto* constant = dyn_cast<ConstantInt>(bytes)) {
    Value* limit =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, place.size,
                                      builder.getInt64(constant->getZExtValue() - 1), nullptr, "limit");
    right = builder.CreateICmpULT(position, limit, "right");
  } else { // nothing is accessed if there are no bytes
    Value* rest =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, place.size, position, nullptr, "rest");
    right = builder.CreateICmpULE(bytes, rest, "right");
  }
  return {access, place, position, right};
}

/// Whether the condition holds for all values that the position can have.
bool BoundsChecker::is_proved(const Checked& checked) {
  if (auto* known = dyn_cast<ConstantInt>(checked.right)) return known->isOne();
  auto *size = dyn_cast<ConstantInt>(checked.place.size),
       *bytes = dyn_cast<ConstantInt>(checked.access.bytes);
  if (!size || !bytes || size->getValue().ult(bytes->getValue())) return false;
  const ConstantRange range = evolution_.getUnsignedRange(evolution_.getSCEV(checked.position));
  return range.getUnsignedMax().ule(size->getValue() - bytes->getValue());
}

void BoundsChecker::check(const MemoryAccess& access) {
  if (auto* bytes = dyn_cast<ConstantInt>(access.bytes); bytes && bytes->isZero()) return;
  const Checked checked = compare(access);
  if (!is_proved(checked)) checked_.push_back(checked);
}

void BoundsChecker::check_if_certain(const MemoryAccess& access) {
  if (auto* bytes = dyn_cast<ConstantInt>(access.bytes); !bytes || bytes->isZero()) return;
  const Checked checked = compare(access);
  if (auto* known = dyn_cast<ConstantInt>(checked.right); known && known->isZero())
    checked_.push_back(checked);
}

/// Replaces the accesses by guarded ones. This comes last, because places belong to the blocks as they were.
void BoundsChecker::write() {
  for (const Checked& checked : checked_) {
    const auto& [access, place, position, right] = checked;
    const auto* bytes = dyn_cast<ConstantInt>(access.bytes);
    const unsigned space = access.pointer->getType()->getPointerAddressSpace();
    // Only one object has positions that mean something.
    const bool tells_position = place.root && (isa<Argument, AllocaInst, GlobalVariable>(place.root));
    Constant* site =
        site_of(*access.instruction, {.check = Check::bounds,
                                      .root = place.root,
                                      .bytes = bytes ? bytes->getZExtValue() : 0,
                                      .access = access.kind,
                                      .tells_position = tells_position || space == 0 || space == 3});
    auto what = [&](IRBuilder<>& builder) -> Value* {
      if (tells_position || space == 0 || space == 3) return position;
      return builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    };
    perform_if(right, *access.instruction, what, site);
  }
}

} // namespace

PreservedAnalyses CheckBoundsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  BoundsChecker checker(function, analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (const MemoryAccess& access : accesses_of(function))
    of == Of::all ? checker.check(access) : checker.check_if_certain(access);
  checker.write();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
