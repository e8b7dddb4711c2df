#include "compiler/passes/2_vector/control/spin.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether executing the atomic again, without a write of another work-item in between, leaves memory unchanged.
bool changes_nothing_when_repeated(const AtomicRMWInst& atomic, const Loop& loop) {
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    return isa<Constant>(atomic.getValOperand()) && cast<Constant>(atomic.getValOperand())->isZeroValue();
  default:
    return loop.isLoopInvariant(atomic.getValOperand());
  }
}

/// The functions of pipes whose result depends on other work-items.
constexpr StringRef reserve_functions[] = {"__hostcl_pipe_reserve_write", "__hostcl_pipe_reserve_read"};
constexpr StringRef packets_function = "__hostcl_pipe_packets";

StringRef called_name(const Value& value) {
  const auto* call = dyn_cast<CallBase>(&value);
  return call && call->getCalledFunction() ? call->getCalledFunction()->getName() : StringRef();
}

/// The constant that the value has if every reservation of packets fails (every pipe is empty or full); null if the
/// value depends on anything else.
Constant* folded_without_packets(Value* value, const DataLayout& layout, unsigned depth = 0) {
  constexpr unsigned most_depth = 8;
  if (auto* constant = dyn_cast<Constant>(value)) return constant;
  if (is_contained(reserve_functions, called_name(*value))) return Constant::getNullValue(value->getType());
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !isa<CastInst, BinaryOperator, CmpInst, SelectInst>(instruction) || depth == most_depth)
    return nullptr;
  SmallVector<Constant*, 3> operands;
  for (Value* operand : instruction->operands()) {
    operands.push_back(folded_without_packets(operand, layout, depth + 1));
    if (!operands.back()) return nullptr;
  }
  return ConstantFoldInstOperands(instruction, operands, layout);
}

/// Whether the loop exits at the block if no packets can be reserved. Such a loop empties or fills a pipe, and does not
/// wait.
bool ends_without_packets(const BasicBlock& exiting, const Loop& loop) {
  const auto* branch = dyn_cast<BranchInst>(exiting.getTerminator());
  if (!branch || !branch->isConditional()) return false;
  const auto* condition =
      dyn_cast_or_null<ConstantInt>(folded_without_packets(branch->getCondition(), exiting.getDataLayout()));
  return condition && !loop.contains(branch->getSuccessor(condition->isOne() ? 0 : 1));
}

bool waits(const Instruction& instruction, const Loop& loop, const BasicBlock& exiting) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return changes_nothing_when_repeated(*atomic, loop);
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(exchange->getCompareOperand());
  const StringRef function = called_name(instruction);
  return function == packets_function ||
         (is_contained(reserve_functions, function) && !ends_without_packets(exiting, loop));
}

/// Adds the conditions, inside the loop, that decide from which predecessor control reaches the block: the conditions
/// of the blocks between the block and its immediate dominator. A phi of the block depends on them.
void add_deciding(const BasicBlock& block, const Loop& loop, const DominatorTree& dominators,
                  SmallVectorImpl<const Value*>& conditions) {
  const BasicBlock* start = dominators.getNode(&block)->getIDom()->getBlock();
  SmallVector<const BasicBlock*, 16> open(predecessors(&block));
  SmallPtrSet<const BasicBlock*, 16> seen{&block};
  while (!open.empty()) {
    const BasicBlock* from = open.pop_back_val();
    if (!loop.contains(from) || !seen.insert(from).second) continue;
    if (const Value* condition = deciding_value(*from)) conditions.push_back(condition);
    if (from != start) open.append(pred_begin(from), pred_end(from));
  }
}

using Blocks = SmallPtrSet<const BasicBlock*, 16>;

/// The blocks of the loop after which another iteration can begin without running a block for which `is_avoided` is
/// true.
Blocks blocks_that_avoid(const Loop& loop, function_ref<bool(const BasicBlock&)> is_avoided) {
  Blocks found;
  SmallVector<const BasicBlock*, 16> open{loop.getHeader()};
  while (!open.empty())
    for (const BasicBlock* from : predecessors(open.pop_back_val()))
      if (loop.contains(from) && !is_avoided(*from) && found.insert(from).second && from != loop.getHeader())
        open.push_back(from);
  return found;
}

/// The conditions that decide whether the loop exits from block `exiting`: the condition of this block, and the
/// conditions of blocks that decide whether an iteration reaches this block.
SmallVector<const Value*, 16> exit_conditions(const BasicBlock& exiting, const Loop& loop) {
  SmallVector<const Value*, 16> conditions;
  if (const Value* own = deciding_value(exiting)) conditions.push_back(own);
  Blocks deciding{&exiting};
  SmallVector<const BasicBlock*, 8> open{&exiting};
  while (!open.empty()) {
    const BasicBlock* reached = open.pop_back_val();
    const Blocks avoiding =
        blocks_that_avoid(loop, [&](const BasicBlock& block) { return &block == reached; });
    for (const BasicBlock* block : avoiding) {
      const Value* condition = deciding_value(*block);
      const auto leads_there = [&](const BasicBlock* next) {
        return loop.contains(next) && next != loop.getHeader() && !avoiding.contains(next);
      };
      if (!condition || !any_of(successors(block), leads_there) || !deciding.insert(block).second) continue;
      conditions.push_back(condition);
      open.push_back(block);
    }
  }
  return conditions;
}

/// Whether each iteration reaches a barrier. Work-items cannot wait for each other in such a loop: a work-item that
/// leaves the loop would keep the others at the barrier.
bool has_barrier_in_each_iteration(const Loop& loop) {
  return !blocks_that_avoid(loop, has_barrier).contains(loop.getHeader());
}

/// The first access in the loop for which is_wanted(access, loop, exiting) and that decides whether the loop exits from
/// block `exiting`; null if there is none.
template <class IsWanted>
const Instruction* find_in_slice(const BasicBlock& exiting, const Loop& loop, const DominatorTree& dominators,
                                 IsWanted is_wanted) {
  SmallVector<const Value*, 16> open = exit_conditions(exiting, loop);
  SmallPtrSet<const Value*, 16> seen;
  while (!open.empty()) {
    const auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (is_wanted(*instruction, loop, exiting)) return instruction;
    // A loaded value is not computed from the load's operands, so these are not followed.
    if (instruction->mayReadFromMemory()) continue;
    open.append(instruction->op_begin(), instruction->op_end());
    const BasicBlock& block = *instruction->getParent();
    if (isa<PHINode>(instruction) && &block != loop.getHeader()) add_deciding(block, loop, dominators, open);
  }
  return nullptr;
}

template <class IsWanted>
bool has_access(const Loop& loop, IsWanted is_wanted) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& access) { return is_wanted(access, loop, *block); });
  });
}

/// The first wanted access that decides whether the loop exits from any of its blocks; null if there is none. The
/// slices of exit conditions take long for loops with many branches, so the function computes slices only if the loop
/// has a wanted access.
template <class IsWanted>
const Instruction* find_in_exits(const Loop& loop, const DominatorTree& dominators, IsWanted is_wanted) {
  if (!has_access(loop, is_wanted)) return nullptr;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock* block : exiting)
    if (const Instruction* access = find_in_slice(*block, loop, dominators, is_wanted)) return access;
  return nullptr;
}

/// Whether the instruction usually gives different results for different operands. Remainders and masks do not: a loop
/// that polls a few addresses in turn computes them by a remainder or mask, and such a loop waits.
bool keeps_differences(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::GetElementPtr:
  case Instruction::AddrSpaceCast:
    return true;
  default:
    return false;
  }
}

/// The phis of the loop's header from which the value is computed by instructions that keep differences
/// (keeps_differences()).
SmallPtrSet<const PHINode*, 4> header_phis_of(const Value* value, const Loop& loop) {
  SmallVector<const Value*, 8> open{value};
  SmallPtrSet<const Value*, 8> seen;
  SmallPtrSet<const PHINode*, 4> phis;
  while (!open.empty()) {
    const auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    const auto* phi = dyn_cast<PHINode>(instruction);
    if (phi && phi->getParent() == loop.getHeader())
      phis.insert(phi);
    else if (keeps_differences(*instruction))
      open.append(instruction->op_begin(), instruction->op_end());
  }
  return phis;
}

/// Whether each iteration gives the phi of the loop's header another value: it adds a constant, or loads the value from
/// an address that depends on the last value.
bool changes(const PHINode& phi, const Loop& loop) {
  return all_of(phi.incoming_values(), [&](const Use& next) {
    if (!loop.contains(phi.getIncomingBlock(next))) return true;
    if (const auto* load = dyn_cast<LoadInst>(next))
      return header_phis_of(load->getPointerOperand(), loop).contains(&phi);
    const auto* step = dyn_cast<Instruction>(next);
    return step && keeps_differences(*step) && all_of(step->operands(), [&](const Use& part) {
             return part == &phi || (isa<ConstantInt>(part) && !cast<ConstantInt>(part)->isZero());
           });
  });
}

bool is_computed_from_changes(const Value* value, const Loop& loop) {
  return any_of(header_phis_of(value, loop), [&](const PHINode* phi) { return changes(*phi, loop); });
}

/// Whether each iteration of the loop makes progress without a write of another work-item: the iteration loads from a
/// new address, as in a walk over a list, or changes a counter that is compared with the loaded value.
bool advances(const Instruction& access, const Loop& loop) {
  const auto* load = dyn_cast<LoadInst>(&access);
  if (!load) return false;
  if (is_computed_from_changes(load->getPointerOperand(), loop)) return true;
  const auto* compare = load->hasOneUse() ? dyn_cast<ICmpInst>(load->user_back()) : nullptr;
  return compare && compare->isRelational() &&
         is_computed_from_changes(compare->getOperand(compare->getOperand(0) == load ? 1 : 0), loop);
}

bool polls(const Instruction& access, const Loop& loop, const BasicBlock& exiting) {
  return waits(access, loop, exiting) && !advances(access, loop);
}

} // namespace

const Instruction* spinning_access(const Loop& loop, const DominatorTree& dominators) {
  if (has_barrier_in_each_iteration(loop)) return nullptr;
  return find_in_exits(loop, dominators, waits);
}

bool may_wait(const Loop& loop, const DominatorTree& dominators, bool of_item, bool of_group) {
  if (!has_access(loop, polls)) return false;
  const auto reads_shared = [&](const Instruction& access) {
    const auto* load = dyn_cast<LoadInst>(&access);
    return load && load->getPointerAddressSpace() != private_space && !advances(access, loop);
  };
  return find_in_exits(loop, dominators, [&](const Instruction& access, auto&, const BasicBlock& exiting) {
    return (of_item && polls(access, loop, exiting)) || (of_group && reads_shared(access));
  });
}

const Instruction* find_spinning_access(const LoopInfo& loops, const DominatorTree& dominators) {
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (const Instruction* access = spinning_access(*loop, dominators)) return access;
  return nullptr;
}

} // namespace hostcl::compiler
