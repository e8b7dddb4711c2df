#include "compiler/passes/vectorise/memory/item_strides.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

#include <cstdlib>

namespace hostcl::compiler {

using namespace llvm;

std::optional<std::int64_t> ItemStrides::of(const Value& value) {
  if (isa<Constant>(value) || isa<Argument>(value)) return 0;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return std::nullopt;
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  constexpr unsigned most_depth = 200; // of expressions, which can be as long as a kernel
  if (depth_ == most_depth) return std::nullopt;
  known_[&value] = std::nullopt; // until it is found
  ++depth_;
  Stride stride = compute(*instruction);
  --depth_;
  constexpr std::int64_t largest = 1 << 28; // times a factor or an element size it does not overflow
  if (stride && std::abs(*stride) > largest) stride = std::nullopt;
  return known_[&value] = stride;
}

ItemStrides::Stride ItemStrides::compute(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Call:
    return of_query(instruction);
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    return of(*instruction.getOperand(0));
  case Instruction::Add:
    return of_sum(instruction, 1);
  case Instruction::Sub:
    return of_sum(instruction, -1);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(instruction).isDisjoint()) return of_sum(instruction, 1);
    break;
  case Instruction::Mul:
  case Instruction::Shl:
    return of_product(instruction);
  case Instruction::GetElementPtr:
    return of_address(cast<GetElementPtrInst>(instruction));
  case Instruction::PHI:
    return of_counter(cast<PHINode>(instruction));
  case Instruction::Alloca:
    return std::nullopt;
  default:
    break;
  }
  return all_alike(instruction) ? Stride(0) : std::nullopt;
}

bool ItemStrides::all_alike(const Instruction& instruction) {
  return all_of(instruction.operands(), [&](const Use& operand) { return of(*operand) == 0; });
}

ItemStrides::Stride ItemStrides::of_sum(const Instruction& sum, std::int64_t sign) {
  const Stride first = of(*sum.getOperand(0)), second = of(*sum.getOperand(1));
  if (!first || !second) return std::nullopt;
  return *first + sign * *second;
}

ItemStrides::Stride ItemStrides::of_product(const Instruction& product) {
  if (all_alike(product)) return 0;
  const Stride stride = of(*product.getOperand(0));
  const auto* factor = dyn_cast<ConstantInt>(product.getOperand(1));
  if (!stride || !factor || factor->getValue().getSignificantBits() > 32) return std::nullopt;
  if (product.getOpcode() == Instruction::Mul) return *stride * factor->getSExtValue();
  return factor->getValue().ult(32) ? Stride(*stride << factor->getZExtValue()) : std::nullopt;
}

ItemStrides::Stride ItemStrides::of_address(const GetElementPtrInst& address) {
  Stride sum = of(*address.getPointerOperand());
  const DataLayout& layout = address.getDataLayout();
  for (auto part = gep_type_begin(address); part != gep_type_end(address) && sum; ++part) {
    const Stride index = of(*part.getOperand());
    if (!index) return std::nullopt;
    if (*index == 0) continue;
    sum = *sum + *index * static_cast<std::int64_t>(part.getSequentialElementStride(layout).getFixedValue());
  }
  return sum;
}

/// The stride of a phi that grows by the same steps in all work-items.
ItemStrides::Stride ItemStrides::of_counter(const PHINode& phi) {
  const Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopPreheader() || !loop->getLoopLatch())
    return std::nullopt;
  const Stride start = of(*phi.getIncomingValueForBlock(loop->getLoopPreheader()));
  known_[&phi] = start;
  const Stride next = of(*phi.getIncomingValueForBlock(loop->getLoopLatch()));
  return start == next ? start : std::nullopt;
}

ItemStrides::Stride ItemStrides::of_query(const Instruction& query) {
  const auto intrinsic = called_intrinsic(query);
  if (!intrinsic) return query.mayReadOrWriteMemory() || !all_alike(query) ? std::nullopt : Stride(0);
  if (intrinsic == Intrinsic::work_dim) return 0;
  if (!is_dimension_query(query)) return std::nullopt;
  return intrinsic == Intrinsic::local_id && dimension_of(cast<CallBase>(query)) == dimension_ ? 1 : 0;
}

} // namespace hostcl::compiler
