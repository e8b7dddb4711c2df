#include "compiler/ir/atomic_update.hpp"

#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An update, the reduction that combines its operands, and the instruction or intrinsic that computes the new value.
struct Row {
  AtomicRMWInst::BinOp update;
  RecurKind combination;
  unsigned opcode;
  Intrinsic::ID intrinsic = Intrinsic::not_intrinsic;
};

constexpr Row rows[] = {
    {AtomicRMWInst::Add, RecurKind::Add, Instruction::Add},
    {AtomicRMWInst::Sub, RecurKind::Add, Instruction::Sub},
    {AtomicRMWInst::And, RecurKind::And, Instruction::And},
    {AtomicRMWInst::Or, RecurKind::Or, Instruction::Or},
    {AtomicRMWInst::Xor, RecurKind::Xor, Instruction::Xor},
    {AtomicRMWInst::Max, RecurKind::SMax, Instruction::Call, Intrinsic::smax},
    {AtomicRMWInst::Min, RecurKind::SMin, Instruction::Call, Intrinsic::smin},
    {AtomicRMWInst::UMax, RecurKind::UMax, Instruction::Call, Intrinsic::umax},
    {AtomicRMWInst::UMin, RecurKind::UMin, Instruction::Call, Intrinsic::umin},
    {AtomicRMWInst::FAdd, RecurKind::FAdd, Instruction::FAdd},
    {AtomicRMWInst::FSub, RecurKind::FAdd, Instruction::FSub},
    {AtomicRMWInst::FMax, RecurKind::FMaxNum, Instruction::Call, Intrinsic::maxnum},
    {AtomicRMWInst::FMin, RecurKind::FMinNum, Instruction::Call, Intrinsic::minnum},
};

} // namespace

std::optional<AtomicRMWInst::BinOp> update_by(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  const Intrinsic::ID intrinsic = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  for (const Row& row : rows)
    if (row.opcode == instruction.getOpcode() && row.intrinsic == intrinsic) return row.update;
  return std::nullopt;
}

std::optional<RecurKind> combination_of(AtomicRMWInst::BinOp operation) {
  for (const Row& row : rows)
    if (row.update == operation) return row.combination;
  return std::nullopt;
}

bool can_combine(const AtomicRMWInst& update) {
  const Type* type = update.getType();
  return update.use_empty() && !update.isVolatile() && update.getOrdering() == AtomicOrdering::Monotonic &&
         combination_of(update.getOperation()) &&
         (type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() || type->isDoubleTy());
}

bool is_serial(const AtomicRMWInst& update) {
  return update.hasMetadata(metadata::serial) && update.getType()->isFloatingPointTy();
}

std::optional<std::uint64_t> deferral_table(const AtomicRMWInst& update) {
  const MDNode* node = update.getMetadata(metadata::deferrable);
  if (!node) return std::nullopt;
  return mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
}

AtomicOrdering ordering_of(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getOrdering();
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return store->getOrdering();
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return update->getOrdering();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return exchange->getMergedOrdering();
  if (const auto* fence = dyn_cast<FenceInst>(&instruction)) return fence->getOrdering();
  return AtomicOrdering::NotAtomic;
}

bool accesses_local(const Instruction& instruction) {
  const auto place = MemoryLocation::getOrNone(&instruction);
  return place && place->Ptr->getType()->getPointerAddressSpace() == local_space;
}

UpdateKind::UpdateKind(const AtomicRMWInst& update)
    : operation(update.getOperation() == AtomicRMWInst::Sub ? AtomicRMWInst::Add : update.getOperation()),
      type(update.getType()) {}

Value* UpdateKind::operand_of(IRBuilder<>& build, AtomicRMWInst& update) {
  Value* operand = update.getValOperand();
  return update.getOperation() == AtomicRMWInst::Sub ? build.CreateNeg(operand) : operand;
}

Value* UpdateKind::apply(IRBuilder<>& build, Value* value, Value* operand) const {
  return buildAtomicRMWValue(operation, build, value, operand);
}

Constant* UpdateKind::identity() const {
  return neutral_value(combination_of(operation).value_or(RecurKind::None), type);
}

} // namespace hostcl::compiler
