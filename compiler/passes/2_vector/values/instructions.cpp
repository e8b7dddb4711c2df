#include "compiler/passes/2_vector/values/instructions.hpp"

#include "compiler/passes/2_vector/atomics/atomics.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/address_numbers.hpp"
#include "compiler/passes/2_vector/scalar_copies.hpp"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

void emit_elementwise(Emission& e, Instruction& instruction) {
  BasicBlock* block = e.build.GetInsertBlock();
  const Instruction* last = block->empty() ? nullptr : &block->back();
  Value* now = nullptr;
  if (auto* conversion = dyn_cast<CastInst>(&instruction)) {
    now = e.build.CreateCast(conversion->getOpcode(), e.vector(conversion->getOperand(0)),
                             e.wide(instruction.getType()));
  } else if (auto* compare = dyn_cast<CmpInst>(&instruction)) {
    now = e.build.CreateCmp(compare->getPredicate(), e.vector(compare->getOperand(0)),
                            e.vector(compare->getOperand(1)));
  } else if (isa<FreezeInst>(instruction)) {
    now = e.build.CreateFreeze(e.vector(instruction.getOperand(0)));
  } else {
    const auto operands =
        map_to_vector<2>(instruction.operand_values(), [&](Value* operand) { return e.vector(operand); });
    now = e.build.CreateNAryOp(instruction.getOpcode(), operands);
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

} // namespace

void write_vector_form(Emission& e, Instruction& instruction) {
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return emit_address(e, *address);
  if (auto* clamp = dyn_cast<MinMaxIntrinsic>(&instruction)) return emit_vector_intrinsic(e, *clamp);
  if (auto* select = dyn_cast<SelectInst>(&instruction)) return emit_select(e, *select);
  auto operand = [&](unsigned i) { return e.vector(instruction.getOperand(i)); };
  auto set = [&](Value* now) { e.set(&instruction, now); };
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction))
    return set(e.build.CreateExtractValue(operand(0), extract->getIndices()));
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction))
    return set(e.build.CreateInsertValue(operand(0), operand(1), insert->getIndices()));
  if (auto* compare = dyn_cast<ICmpInst>(&instruction);
      compare && compare->getOperand(0)->getType()->isPointerTy())
    return set(compare_addresses(e, *compare));
  if (isa<PtrToIntInst, PtrToAddrInst>(instruction))
    return set(numbers_of_addresses(e, cast<CastInst>(instruction)));
  emit_elementwise(e, instruction);
}

void InstructionWriter::write(Instruction& instruction) {
  switch (e_.plan.of(instruction).form) {
  case Form::drop:
    return;
  case Form::clone:
    return emit_scalar(e_, instruction);
  case Form::replicate:
    return emit_lane_by_lane(e_, instruction);
  case Form::first_lane:
    return emit_for_first_lane(e_, cast<CallInst>(instruction));
  case Form::count_lanes:
    return emit_count(e_, cast<CallInst>(instruction));
  case Form::last_lane:
    return memory_.write_last(cast<StoreInst>(instruction));
  case Form::widen:
    if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction))
      return short_vectors_.write(instruction);
    return instruction.isIntDivRem() ? emit_division(e_, instruction) : write_vector_form(e_, instruction);
  case Form::widen_intrinsic:
    return emit_vector_intrinsic(e_, cast<CallInst>(instruction));
  case Form::widen_call:
    return emit_for_all_lanes(e_, cast<CallInst>(instruction));
  case Form::widen_float:
  case Form::widen_masked:
    return emit_division(e_, instruction);
  case Form::sub_group:
    return emit_sub_group(e_, cast<CallInst>(instruction));
  case Form::reduce:
  case Form::atomic:
    if (auto* atomic = dyn_cast<AtomicRMWInst>(&instruction)) return emit_atomic(e_, *atomic, appends_);
    return emit_compare_exchange(e_, cast<AtomicCmpXchgInst>(instruction));
  case Form::lane_copies:
    return memory_.write_variable(cast<AllocaInst>(instruction));
  case Form::contiguous:
  case Form::strided:
  case Form::same:
  case Form::scattered:
    return memory_.write(instruction);
  case Form::refused:
  case Form::branch_on_any:
  case Form::branch_on_mask:
    llvm_unreachable("not an instruction within a block of a plan that is carried out");
  }
}

} // namespace hostcl::compiler
