#include "compiler/passes/3_group/tree_reduction.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <iterator>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Looks through conversions between integers of at least 32 bits. Local ids and offsets fit into all of them.
Value* unconverted(Value* value) {
  while (isa<SExtInst, ZExtInst>(value) ||
         (isa<TruncInst>(value) && value->getType()->getIntegerBitWidth() >= 32))
    value = cast<CastInst>(value)->getOperand(0);
  return value;
}

bool is_local_id(Value* value) {
  value = unconverted(value);
  return is_call_of(*value, Intrinsic::local_id) && dimension_of(cast<CallBase>(*value)) == 0;
}

/// An address, decomposed into an array and a sum of indices.
struct Place {
  Value* array = nullptr;
  SmallVector<Value*, 2> indices;

  Place(Value* address, const Type& element) {
    for (; auto* step = dyn_cast<GetElementPtrInst>(address); address = step->getPointerOperand()) {
      if (step->getNumIndices() != 1 || step->getSourceElementType() != &element) return;
      add(step->getOperand(1));
    }
    if (isa<Argument, GlobalVariable>(address)) array = address;
  }
  bool is_item_of(const Value* wanted) const {
    return array && array == wanted && indices.size() == 1 && is_local_id(indices[0]);
  }
  bool is_item_and(const Value* wanted, const Value* offset) const {
    return array && array == wanted && indices.size() == 2 &&
           ((is_local_id(indices[0]) && indices[1] == offset) ||
            (is_local_id(indices[1]) && indices[0] == offset));
  }

private:
  void add(Value* index) {
    index = unconverted(index);
    Value *left = nullptr, *right = nullptr;
    if (match(index, m_Add(m_Value(left), m_Value(right)))) {
      add(left);
      add(right);
    } else {
      indices.push_back(index);
    }
  }
};

bool can_combine_vectors(const Instruction& operation) {
  if (isa<BinaryOperator>(operation))
    return is_contained({Instruction::Add, Instruction::Mul, Instruction::And, Instruction::Or,
                         Instruction::Xor, Instruction::FAdd, Instruction::FMul},
                        static_cast<Instruction::BinaryOps>(operation.getOpcode()));
  const auto* call = dyn_cast<IntrinsicInst>(&operation);
  return call &&
         (isa<MinMaxIntrinsic>(call) || is_contained({llvm::Intrinsic::maxnum, llvm::Intrinsic::minnum,
                                                      llvm::Intrinsic::maximum, llvm::Intrinsic::minimum},
                                                     call->getIntrinsicID()));
}

/// Whether a vector of the type has the same layout in memory as an array.
bool can_be_lane(Type* type, const DataLayout& layout) {
  return !type->isVectorTy() && layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type);
}

/// Matches a loop of three blocks: the header with the guard, the block for the work-items that take part, and the
/// latch.
class Reader {
public:
  Reader(const Loop& loop, LinearForms& forms) : loop_(loop), forms_(forms) {}

  std::optional<TreeReduction> read() {
    if (!has_form() || !reads_step() || !reads_offsets()) return std::nullopt;
    return reduction_;
  }

private:
  bool has_form() {
    if (!loop_.isInnermost() || loop_.getNumBlocks() != 3 || !exits_without_phis(loop_)) return false;
    const BasicBlock* latch = loop_.getLoopLatch();
    const auto phis = loop_.getHeader()->phis();
    guard_ = dyn_cast<BranchInst>(loop_.getHeader()->getTerminator());
    if (std::distance(phis.begin(), phis.end()) != 1 || !guard_ || !guard_->isConditional()) return false;
    offset_ = &*phis.begin();
    part_ = guard_->getSuccessor(guard_->getSuccessor(0) == latch ? 1 : 0);
    // Narrow offsets are not accepted: as a signed 8-bit integer, 128 is negative.
    return offset_->getNumIncomingValues() == 2 && offset_->getType()->isIntegerTy() &&
           offset_->getType()->getIntegerBitWidth() >= 32 && part_->getSingleSuccessor() == latch &&
           part_ != latch;
  }

  /// Matches one step of the reduction: two loads, the operation and a store in the guarded block, one barrier
  /// elsewhere, and no other access.
  bool reads_step() {
    StoreInst* store = nullptr;
    unsigned loads = 0, barriers = 0;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block) {
        if (is_used_outside(instruction, loop_)) return false;
        if (!instruction.mayReadOrWriteMemory()) continue;
        auto* load = dyn_cast<LoadInst>(&instruction);
        auto* stored = dyn_cast<StoreInst>(&instruction);
        if (is_call_of(instruction, Intrinsic::barrier) && block != part_)
          ++barriers;
        else if (block == part_ && load && load->isSimple())
          ++loads;
        else if (block == part_ && stored && stored->isSimple() && !store)
          store = stored;
        else
          return false;
      }
    return store && loads == 2 && barriers == 1 && reads_operation(*store);
  }

  bool reads_operation(StoreInst& store) {
    reduction_.operation = dyn_cast<Instruction>(store.getValueOperand());
    reduction_.element = store.getValueOperand()->getType();
    if (!reduction_.operation || !can_combine_vectors(*reduction_.operation) ||
        !can_be_lane(reduction_.element, store.getDataLayout()) ||
        store.getPointerAddressSpace() != local_space)
      return false;
    reduction_.array = Place(store.getPointerOperand(), *reduction_.element).array;
    if (!Place(store.getPointerOperand(), *reduction_.element).is_item_of(reduction_.array)) return false;
    const auto place_of = [&](unsigned operand) -> std::optional<Place> {
      auto* load = dyn_cast<LoadInst>(reduction_.operation->getOperand(operand));
      if (!load || load->getType() != reduction_.element) return std::nullopt;
      return Place(load->getPointerOperand(), *reduction_.element);
    };
    const auto first = place_of(0), second = place_of(1);
    if (!first || !second) return false;
    reduction_.near_first = first->is_item_of(reduction_.array);
    const Place &near = reduction_.near_first ? *first : *second,
                &far = reduction_.near_first ? *second : *first;
    return near.is_item_of(reduction_.array) && far.is_item_and(reduction_.array, offset_);
  }

  bool reads_offsets() {
    auto* back = dyn_cast<BranchInst>(loop_.getLoopLatch()->getTerminator());
    const auto stays = back ? Comparison::on_edge(*back, *loop_.getHeader()) : std::nullopt;
    if (!stays) return false;
    Value* next = offset_->getIncomingValueForBlock(loop_.getLoopLatch());
    Value* first = offset_->getIncomingValue(offset_->getIncomingBlock(0) == loop_.getLoopLatch() ? 1 : 0);
    return halves(*next, *stays, *first) || doubles(*next, *stays, *first);
  }

  bool halves(Value& next, const Comparison& stays, Value& first) {
    if (!match(&next, m_CombineOr(m_Shr(m_Specific(offset_), m_One()),
                                  m_IDiv(m_Specific(offset_), m_SpecificInt(2)))))
      return false;
    const bool is_next =
        unconverted(stays.left) == &next && match(stays.right, m_Zero()) &&
        is_contained({CmpInst::ICMP_NE, CmpInst::ICMP_UGT, CmpInst::ICMP_SGT}, stays.predicate);
    const bool is_last = unconverted(stays.left) == offset_ && match(stays.right, m_One()) &&
                         is_contained({CmpInst::ICMP_UGT, CmpInst::ICMP_SGT}, stays.predicate);
    if (!(is_next || is_last) || !is_same_for_all(first) || !takes_first_items()) return false;
    reduction_.start = &first;
    return true;
  }

  bool doubles(Value& next, Comparison stays, Value& first) {
    if (!match(&next, m_Shl(m_Specific(offset_), m_One())) || !match(&first, m_One())) return false;
    if (unconverted(stays.left) != &next && unconverted(stays.left) != offset_) stays = stays.swapped();
    if (!is_contained({CmpInst::ICMP_ULT, CmpInst::ICMP_SLT}, stays.predicate)) return false;
    Value *left = stays.left, *right = stays.right;
    reduction_.end = right;
    if (const auto* half = dyn_cast<ConstantInt>(right); half && unconverted(left) == offset_)
      reduction_.end =
          ConstantInt::get(half->getType(), half->getValue().shl(1)); // `offset < 128` for `2 * offset < 256`
    else if (unconverted(left) != &next)
      return false;
    return loop_.isLoopInvariant(right) && is_same_for_all(*right) && takes_every_second_item(next);
  }

  /// `local_id < offset`
  bool takes_first_items() const {
    auto test = Comparison::on_edge(*guard_, *part_);
    if (!test) return false;
    if (!is_local_id(test->left)) test = test->swapped();
    return is_local_id(test->left) && unconverted(test->right) == offset_ &&
           is_contained({CmpInst::ICMP_ULT, CmpInst::ICMP_SLT}, test->predicate);
  }

  /// `local_id % (2 * offset) == 0`, where `next` is twice the offset.
  bool takes_every_second_item(Value& next) const {
    const auto test = Comparison::on_edge(*guard_, *part_);
    Value *item = nullptr, *other = nullptr;
    if (!test || test->predicate != CmpInst::ICMP_EQ || !match(test->right, m_Zero())) return false;
    if (match(test->left,
              m_CombineOr(m_URem(m_Value(item), m_Value(other)), m_SRem(m_Value(item), m_Value(other)))))
      return is_local_id(item) && unconverted(other) == &next;
    if (!match(test->left, m_And(m_Value(item), m_Value(other)))) return false;
    if (!is_local_id(item)) std::swap(item, other);
    return is_local_id(item) && match(unconverted(other), m_Add(m_Specific(&next), m_AllOnes()));
  }

  bool is_same_for_all(const Value& value) { return is_group_uniform(value, *loop_.getHeader(), forms_); }

  const Loop& loop_;
  LinearForms& forms_;
  TreeReduction reduction_;
  BranchInst* guard_ = nullptr;
  PHINode* offset_ = nullptr;
  BasicBlock* part_ = nullptr;
};

} // namespace

std::optional<TreeReduction> find_tree_reduction(const Loop& loop, LinearForms& forms) {
  return Reader(loop, forms).read();
}

} // namespace hostcl::compiler
