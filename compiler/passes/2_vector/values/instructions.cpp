#include "compiler/passes/2_vector/values/instructions.hpp"

#include "compiler/passes/2_vector/atomics/atomics.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/address_numbers.hpp"
#include "compiler/passes/2_vector/scalar_copies.hpp"
#include "compiler/passes/2_vector/values/calls.hpp"
#include "compiler/passes/2_vector/values/division.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

void emit_elementwise(Emission& e, Instruction& instruction) {
  Type* type = e.wide(instruction.getType());
  BasicBlock* block = e.build.GetInsertBlock();
  const Instruction* last = block->empty() ? nullptr : &block->back();
  Value* now = nullptr;
  if (auto* conversion = dyn_cast<CastInst>(&instruction)) {
    now = e.build.CreateCast(conversion->getOpcode(), e.vector(conversion->getOperand(0)), type);
  } else if (auto* compare = dyn_cast<CmpInst>(&instruction)) {
    now = e.build.CreateCmp(compare->getPredicate(), e.vector(compare->getOperand(0)),
                            e.vector(compare->getOperand(1)));
  } else if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    now = e.build.CreateBinOp(binary->getOpcode(), e.vector(binary->getOperand(0)),
                              e.vector(binary->getOperand(1)));
  } else if (isa<FreezeInst>(instruction)) {
    now = e.build.CreateFreeze(e.vector(instruction.getOperand(0)));
  } else {
    now =
        e.build.CreateUnOp(cast<UnaryOperator>(instruction).getOpcode(), e.vector(instruction.getOperand(0)));
  }
  // Flags are copied only to a new instruction: the builder may have folded the operation to an existing value.
  if (!block->empty() && &block->back() != last && now == &block->back())
    block->back().copyIRFlags(&instruction);
  e.set(&instruction, now);
}

void emit_select(Emission& e, SelectInst& select) {
  Value *yes = e.vector(select.getTrueValue()), *no = e.vector(select.getFalseValue());
  Value* condition = select.getCondition();
  if (e.shape(condition).is_uniform() && !condition->getType()->isVectorTy()) {
    e.set(&select, e.build.CreateSelect(e.scalar(condition), yes, no));
    return;
  }
  Value* lanes = e.vector(condition);
  if (!condition->getType()->isVectorTy()) lanes = e.mask_for(select.getType(), lanes);
  e.set(&select, e.build.CreateSelect(lanes, yes, no));
}

/// Uniform operands of an address stay scalars, so that the code generator can use them as base and scale of a gather.
void emit_address(Emission& e, GetElementPtrInst& address) {
  SmallVector<Value*, 4> indices;
  for (Value* index : address.indices())
    indices.push_back(e.shape(index).is_uniform() ? e.scalar(index) : e.vector(index));
  Value* base = address.getPointerOperand();
  base = e.shape(base).is_uniform() ? e.scalar(base) : e.vector(base);
  e.set(&address, e.build.CreateGEP(address.getSourceElementType(), base, indices));
}

void emit_extract_value(Emission& e, ExtractValueInst& extract) {
  e.set(&extract, e.build.CreateExtractValue(e.vector(extract.getAggregateOperand()), extract.getIndices()));
}

void emit_insert_value(Emission& e, InsertValueInst& insert) {
  Value* record = e.vector(insert.getAggregateOperand());
  e.set(&insert,
        e.build.CreateInsertValue(record, e.vector(insert.getInsertedValueOperand()), insert.getIndices()));
}

bool has_array(Type* type) {
  if (auto* record = dyn_cast<StructType>(type)) return llvm::any_of(record->elements(), has_array);
  return type->isArrayTy();
}

/// Whether the type has a wide form (lane_builder.hpp).
bool is_widenable(Type* type) {
  if (auto* record = dyn_cast<StructType>(type)) return llvm::all_of(record->elements(), is_widenable);
  if (auto* vector = dyn_cast<FixedVectorType>(type)) return !vector->getElementType()->isPointerTy();
  return VectorType::isValidElementType(type) && !type->isX86_FP80Ty();
}

} // namespace

void write_vector_form(Emission& e, Instruction& instruction) {
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return emit_address(e, *address);
  if (auto* clamp = dyn_cast<MinMaxIntrinsic>(&instruction)) return emit_vector_intrinsic(e, *clamp);
  if (isa<PtrToIntInst, PtrToAddrInst>(instruction))
    return e.set(&instruction, numbers_of_addresses(e, cast<CastInst>(instruction)));
  emit_elementwise(e, instruction);
}

void InstructionWriter::write(Instruction& instruction) {
  if (auto* variable = dyn_cast<AllocaInst>(&instruction)) return memory_.write_variable(*variable);
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return memory_.write_load(*load);
  if (auto* store = dyn_cast<StoreInst>(&instruction)) return memory_.write_store(*store);
  if (auto* call = dyn_cast<CallInst>(&instruction)) return emit_call(e_, *call);
  if (auto* atomic = dyn_cast<AtomicRMWInst>(&instruction)) return emit_atomic(e_, *atomic, appends_);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return emit_compare_exchange(e_, *exchange);
  if (isa<FenceInst>(instruction) || !e_.shape(&instruction).is_varying())
    return emit_scalar(e_, instruction);
  for (const Value* operand : instruction.operands())
    if (!is_widenable(operand->getType()) || has_array(operand->getType()))
      return e_.fail(instruction, "a value of a type that cannot be vectorised");
  if (!is_widenable(instruction.getType()))
    return e_.fail(instruction, "a value of a type that cannot be vectorised");
  if (instruction.isIntDivRem()) return emit_division(e_, instruction);
  if (auto* select = dyn_cast<SelectInst>(&instruction)) return emit_select(e_, *select);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) {
    if (address->getType()->isVectorTy()) return emit_lane_by_lane(e_, instruction);
    return emit_address(e_, *address);
  }
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction)) return emit_extract_value(e_, *extract);
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction)) return emit_insert_value(e_, *insert);
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction))
    return short_vectors_.write(instruction);
  if (auto* compare = dyn_cast<ICmpInst>(&instruction);
      compare && compare->getOperand(0)->getType()->isPointerTy())
    return e_.set(compare, compare_addresses(e_, *compare));
  if (isa<PtrToIntInst, PtrToAddrInst>(instruction))
    return e_.set(&instruction, numbers_of_addresses(e_, cast<CastInst>(instruction)));
  if (isa<CastInst, CmpInst, BinaryOperator, UnaryOperator, FreezeInst>(instruction))
    return emit_elementwise(e_, instruction);
  e_.fail(instruction, "an instruction that cannot be vectorised: " + Twine(instruction.getOpcodeName()));
}

bool InstructionWriter::needs_active_lane(const Instruction& instruction) {
  if (isa<LoadInst, StoreInst>(instruction)) return !memory_.is_masked(instruction);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return true;
  if (const auto* call = dyn_cast<CallInst>(&instruction)) return !is_masked_call(e_, *call);
  return instruction.isIntDivRem() && may_trap(e_, instruction);
}

bool InstructionWriter::is_slow_without_lanes(const Instruction& instruction) {
  return isa<LoadInst, StoreInst>(instruction) && memory_.may_lie_on_missing_page(instruction);
}

unsigned InstructionWriter::cost_of(const Instruction& instruction) {
  if (!e_.shape(&instruction).is_varying() && !isa<StoreInst>(instruction)) return 0;
  const unsigned cost = operations_of(instruction).for_lanes;
  return isa<LoadInst, StoreInst>(instruction) && memory_.is_guessed(instruction) ? 2 * cost : cost;
}

} // namespace hostcl::compiler
