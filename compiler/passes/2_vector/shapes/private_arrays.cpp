#include "compiler/passes/2_vector/shapes/private_arrays.hpp"

#include "compiler/ir/metadata.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::uint64_t longest_copy = 64; ///< most elements of a memset or memcpy that is expanded

/// Collects the uses of one variable, decides whether it can be interleaved, and rewrites it.
class PrivateArray {
public:
  explicit PrivateArray(AllocaInst& variable) : variable_(variable), layout_(variable.getDataLayout()) {}

  /// Whether all uses are accesses of one size, at multiples of this size.
  bool suits() {
    return variable_.getAllocationSize(layout_) && follow(variable_) && unit_ != 0 && holds_units();
  }
  void expand_copies() {
    for (MemIntrinsic* copy : copies_)
      expand(*copy);
  }
  void interleave(unsigned width);

private:
  bool follow(Instruction& pointer);
  bool add_access(const Instruction& access, const Instruction& pointer);
  bool add_copy(MemIntrinsic& copy);
  bool holds_units() const;
  void expand(MemIntrinsic& copy) const;

  AllocaInst& variable_;
  const DataLayout& layout_;
  std::uint64_t unit_ = 0; ///< bytes of each access
  SmallVector<GetElementPtrInst*, 16> addresses_;
  SmallSetVector<MemIntrinsic*, 4> copies_;
};

bool PrivateArray::follow(Instruction& pointer) {
  for (User* user : pointer.users()) {
    if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
      if (address->getType()->isVectorTy()) return false;
      addresses_.push_back(address);
      if (!follow(*address)) return false;
    } else if (auto* copy = dyn_cast<MemIntrinsic>(user)) {
      if (!add_copy(*copy)) return false;
    } else if (!isa<LifetimeIntrinsic>(user) && !add_access(*cast<Instruction>(user), pointer)) {
      return false;
    }
  }
  return true;
}

bool PrivateArray::add_access(const Instruction& access, const Instruction& pointer) {
  const auto* load = dyn_cast<LoadInst>(&access);
  const auto* store = dyn_cast<StoreInst>(&access);
  const bool simple =
      load ? load->isSimple() : store && store->isSimple() && store->getValueOperand() != &pointer;
  if (!simple) return false;
  Type* type = getLoadStoreType(&access);
  const std::uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
  if (type->isAggregateType() || bytes != layout_.getTypeAllocSize(type).getFixedValue()) return false;
  if (unit_ == 0) unit_ = bytes;
  return unit_ == bytes;
}

bool PrivateArray::add_copy(MemIntrinsic& copy) {
  if (copy.isVolatile() || !isa<ConstantInt>(copy.getLength()) || isa<MemMoveInst>(copy)) return false;
  copies_.insert(&copy);
  return true;
}

/// Whether every address is a multiple of the unit, and copies are not long.
bool PrivateArray::holds_units() const {
  const bool in_units = all_of(addresses_, [&](const GetElementPtrInst* address) {
    return cast<GEPOperator>(address)->getMaxPreservedAlignment(layout_).value() % unit_ == 0;
  });
  return in_units && all_of(copies_, [&](const MemIntrinsic* copy) {
           const std::uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
           return unit_ <= 8 && bytes % unit_ == 0 && bytes / unit_ <= longest_copy;
         });
}

/// Expands a memset or memcpy to stores of single elements.
void PrivateArray::expand(MemIntrinsic& copy) const {
  IRBuilder<> build(&copy);
  Type* type = build.getIntNTy(static_cast<unsigned>(unit_ * 8));
  const auto* set = dyn_cast<MemSetInst>(&copy);
  const auto* transfer = dyn_cast<MemTransferInst>(&copy);
  Value* element =
      set ? build.CreateMul(build.CreateZExt(set->getValue(), type),
                            build.getInt(APInt::getSplat(type->getIntegerBitWidth(), APInt(8, 1))))
          : nullptr;
  const std::uint64_t bytes = cast<ConstantInt>(copy.getLength())->getZExtValue();
  for (std::uint64_t at = 0; at < bytes; at += unit_) {
    if (transfer)
      element = build.CreateAlignedLoad(
          type, build.CreateConstGEP1_64(build.getInt8Ty(), transfer->getRawSource(), at),
          commonAlignment(transfer->getSourceAlign().valueOrOne(), at));
    build.CreateAlignedStore(element, build.CreateConstGEP1_64(build.getInt8Ty(), copy.getRawDest(), at),
                             commonAlignment(copy.getDestAlign().valueOrOne(), at));
  }
  copy.eraseFromParent();
}

/// Multiplies the offset of an address by `width`, as elements are `width` times as far apart in an interleaved array.
void scale(GetElementPtrInst& address, unsigned width) {
  IRBuilder<> build(&address);
  Value* offset = emitGEPOffset(&build, address.getDataLayout(), &address, /*NoAssumptions=*/true);
  Value* scaled = build.CreateMul(offset, ConstantInt::get(offset->getType(), width));
  address.replaceAllUsesWith(build.CreateGEP(build.getInt8Ty(), address.getPointerOperand(), scaled));
  address.eraseFromParent();
}

void PrivateArray::interleave(unsigned width) {
  // addresses_ lists a pointer before the pointers that are computed from it, so the latter use the replaced one.
  for (GetElementPtrInst* address : addresses_)
    scale(*address, width);
  const std::uint64_t bytes =
      variable_.getAllocationSize(layout_).value_or(TypeSize::getFixed(0)).getFixedValue();
  IRBuilder<> build(&variable_);
  AllocaInst* all =
      build.CreateAlloca(ArrayType::get(build.getInt8Ty(), bytes * width), variable_.getAddressSpace());
  all->setAlignment(std::max(variable_.getAlign(), Align(64)));
  all->setMetadata(metadata::lane_bytes,
                   MDNode::get(build.getContext(), ConstantAsMetadata::get(build.getInt64(unit_))));
  all->takeName(&variable_);
  variable_.replaceAllUsesWith(all);
  variable_.eraseFromParent();
}

} // namespace

void interleave_private_arrays(Function& function, unsigned width) {
  SmallVector<AllocaInst*, 8> variables;
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
  for (AllocaInst* variable : variables) {
    PrivateArray array(*variable);
    if (!array.suits()) continue;
    array.expand_copies();
    PrivateArray plain(*variable);
    if (note_change(Heuristic::private_arrays, plain.suits())) plain.interleave(width);
  }
}

std::uint64_t interleaved_lane_bytes(const AllocaInst& variable) {
  const MDNode* node = variable.getMetadata(metadata::lane_bytes);
  return node ? mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() : 0;
}

std::uint64_t copy_stride(const AllocaInst& variable) {
  if (const std::uint64_t bytes = interleaved_lane_bytes(variable)) return bytes;
  const std::uint64_t size =
      variable.getAllocationSize(variable.getDataLayout()).value_or(TypeSize::getFixed(0)).getFixedValue();
  return alignTo(std::max<std::uint64_t>(size, 1), variable.getAlign());
}

} // namespace hostcl::compiler
