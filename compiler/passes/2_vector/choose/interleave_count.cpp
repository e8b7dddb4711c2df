// Interleaving, for choose/width.hpp: chooses how many vectors are computed at the same time to hide latency.
// A loop whose iterations depend on each other leaves the arithmetic units idle, and is too long for the processor to
// overlap it with the loop of the next work-items:
//
//   x = fma(y, x, y);  y = fma(x, y, x);   // a latency of 8 cycles, of which 1 is work: several vectors fit in between
//
// Interleaving is done by vectors that are wider than the host's: the code generator then uses several registers for
// each value, which are independent of each other. Cases in which several registers pay, with their gains against one
// (on Zen 4 if no other CPU is named):
// - A loop with a long dependence chain: this loop gains 3.6, a loop of xorshift 1.9.
// - Straight-line code too long for the processor's reorder buffer: 64 rounds of a hash gain 1.15.
// - A loop with contiguous loads: with several registers, one iteration reads more consecutive bytes of each page. Sums
//   of columns gain 1.4. On a Rocket Lake Xeon, in loops with i += get_global_size(0), a scalar product gains 1.9 and
//   b[i] = 2 * a[i] 1.4.
// - A loop around an atomic on one address whose result is used: one host atomic serves all lanes, so more lanes mean
//   fewer atomics. It gains 3.7.
// - A loop that counts bytes in local memory: it gets as many lanes as a register holds indices. The local histogram of
//   bench/ gains 1.6.
//
// Tests: tests/passes/2_vector/choose/width.ll, width_memory.ll, width_rows.ll, width_atomics.ll,
// width_local_updates.ll.

#include "compiler/passes/2_vector/choose/width.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/column_access.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/lane_builder.hpp"
#include "compiler/passes/2_vector/options.hpp"
#include "compiler/settings/sub_group_sizes.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_vectors = 4;
constexpr unsigned carried_registers = 16; ///< limit for the registers of all header phis of a loop together
constexpr unsigned most_phis = 16;
constexpr unsigned most_ahead = 400; ///< instructions that a processor's reorder buffer holds

/// Cost of an instruction on one of the CPU's two vector units: its latency in cycles, and its throughput cost, in
/// additions.
struct Cycles {
  unsigned latency, work;
};

/// Calls that count executions, and instructions whose results only these calls need. Neither counts as work, so that
/// coverage does not change the number of vectors.
SmallPtrSet<const Instruction*, 16> instructions_that_count(const Function& kernel) {
  SmallPtrSet<const Instruction*, 16> counting;
  SmallVector<const Instruction*, 16> left;
  const auto add = [&](const Instruction& instruction) {
    if (counting.insert(&instruction).second) left.push_back(&instruction);
  };
  for (const Instruction& instruction : instructions(kernel))
    if (counts_executions(instruction)) add(instruction);
  while (!left.empty())
    for (const Value* operand : left.pop_back_val()->operand_values()) {
      const auto* instruction = dyn_cast<Instruction>(operand);
      if (instruction && !instruction->mayHaveSideEffects() &&
          all_of(instruction->users(),
                 [&](const User* user) { return counting.contains(cast<Instruction>(user)); }))
        add(*instruction);
    }
  return counting;
}

struct Machine {
  Cycles cycles_of(const Instruction& instruction) const;

  const TargetTransformInfo& target;
  const SmallPtrSetImpl<const Instruction*>& counting; ///< see instructions_that_count()
  unsigned lanes;                                      ///< of one register
  unsigned integer_latency;                            ///< see Capabilities::integer_latency
};

Cycles Machine::cycles_of(const Instruction& instruction) const {
  Type* type = instruction.getType()->getScalarType();
  if (isa<PHINode, CastInst>(instruction) || instruction.isTerminator() || counting.contains(&instruction))
    return {0, 0};
  if (type->isIntegerTy(1) || instruction.getOpcode() == Instruction::FNeg) return {0, 0};
  const bool real = type->isFloatingPointTy();
  if (!real && !type->isIntegerTy()) type = Type::getInt32Ty(instruction.getContext());
  // Calls and selects count as an operation on their type: LLVM's latencies of intrinsics are not the CPU's.
  const unsigned opcode = isa<BinaryOperator>(instruction) ? instruction.getOpcode()
                          : real                           ? unsigned{Instruction::FMul}
                                                           : unsigned{Instruction::Add};
  auto cost = [&](unsigned operation, TargetTransformInfo::TargetCostKind kind) {
    const InstructionCost found =
        target.getArithmeticInstrCost(operation, FixedVectorType::get(type, lanes), kind);
    return found.isValid() ? std::max(static_cast<unsigned>(found.getValue()), 1U) : 1U;
  };
  const unsigned latency = cost(opcode, TargetTransformInfo::TCK_Latency);
  // Work is measured in additions, not in cycles: LLVM's model of CPUs without AVX describes the oldest of them, which
  // start an addition every other cycle only.
  const unsigned addition =
      cost(real ? Instruction::FAdd : Instruction::Add, TargetTransformInfo::TCK_RecipThroughput);
  const unsigned work = cost(opcode, TargetTransformInfo::TCK_RecipThroughput) / addition;
  return {real ? latency : std::max(latency, integer_latency), std::max(work, 1U)};
}

/// The number of vectors that keep two units busy, rounded down to a power of two. `chain` is the latency of the
/// dependence chain in cycles, `work` the work of an iteration in cycles of one unit.
unsigned vectors_to_fill(unsigned chain, unsigned work, unsigned most = most_vectors) {
  return work == 0 ? 1 : std::bit_floor(std::clamp((2 * chain + work / 2) / work, 1U, std::max(most, 1U)));
}

bool is_plain_call(const Instruction& instruction) {
  return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) && !counts_executions(instruction);
}

/// Whether the loop consists of arithmetic only. Loops that access memory or call functions are bound by something else
/// than the latency of arithmetic.
bool is_arithmetic(const Loop& loop) {
  return !has_instruction(loop, [](const Instruction& instruction) {
    return (instruction.mayReadOrWriteMemory() && !counts_executions(instruction)) ||
           is_plain_call(instruction);
  });
}

/// Computes when each value is available, in cycles on a machine with unlimited units, and the total work.
class Schedule {
public:
  Schedule(const Machine& machine, const PHINode* from = nullptr) : machine_(machine) {
    if (from) known_[from] = 0;
  }

  /// Adds an instruction's work, and the time at which its result is available. Without `always`, only instructions
  /// that depend on the phi that the schedule starts from get a time.
  void add(const Instruction& instruction, bool always) {
    const Cycles cycles = machine_.cycles_of(instruction);
    work += cycles.work * LaneBuilder::elements(instruction.getType());
    bool depends = always;
    unsigned start = 0;
    for (const Value* operand : instruction.operands())
      if (auto known = known_.find(operand); known != known_.end()) {
        depends = true;
        start = std::max(start, known->second);
      }
    if (!depends) return;
    known_.try_emplace(&instruction, start + cycles.latency);
    longest = std::max(longest, start + cycles.latency);
  }
  unsigned at(const Value* value) const { return known_.lookup(value); }

  unsigned work = 0, longest = 0;

private:
  const Machine& machine_;
  DenseMap<const Value*, unsigned> known_;
};

/// Whether work-items leave the loop in the order of their ids, as they do with
/// `for (i = get_global_id(0); i < n; i += get_global_size(0))`.
bool ends_in_order(const Value& condition, const Loop& loop, LinearForms& forms, unsigned dimension) {
  const auto* compare = dyn_cast<ICmpInst>(&condition);
  if (!compare) return false;
  const auto counts_to = [&](const Value& counter, const Value& end) {
    return !loop.isLoopInvariant(&counter) && forms.of(counter, *loop.getHeader()).stride(dimension) == 1 &&
           forms.of(end, *loop.getHeader()).stride(dimension) == 0;
  };
  const Value &left = *compare->getOperand(0), &right = *compare->getOperand(1);
  return counts_to(left, right) || counts_to(right, left);
}

/// Whether work-items leave the loop together or in the order of their ids, and each load is contiguous or uniform.
/// Several registers then use more of each page at a time. If work-items leave in order, the loop may also have
/// contiguous stores.
bool reads_rows(const Loop& loop, const LoopInfo& loops, unsigned dimension) {
  const auto* branch =
      loop.getNumBlocks() == 1 ? dyn_cast<BranchInst>(loop.getHeader()->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return false;
  LinearForms forms(&loops, Wrapping::ignored);
  bool rows = false, writes = false;
  for (const Instruction& instruction : *loop.getHeader()) {
    if (is_plain_call(instruction)) return false;
    if (!instruction.mayReadOrWriteMemory() || counts_executions(instruction)) continue;
    if (!isa<LoadInst, StoreInst>(instruction) || instruction.isAtomic() || instruction.isVolatile())
      return false;
    const Along way = along(dimension, instruction, forms);
    const bool is_store = isa<StoreInst>(instruction);
    if (way == Along::other || (way == Along::uniform && is_store)) return false;
    rows |= way == Along::contiguous && !getLoadStoreType(&instruction)->isVectorTy();
    writes |= is_store;
  }
  const Value& condition = *branch->getCondition();
  const bool together = !writes && forms.of(condition, *loop.getHeader()).stride(dimension) == 0;
  return rows && (together || ends_in_order(condition, loop, forms, dimension));
}

unsigned vectors_for(const Loop& loop, const LoopInfo& loops, const Machine& machine, unsigned dimension) {
  if (!loop.getLoopLatch()) return 1;
  unsigned carried = 0, phis = 0;
  for (const PHINode& phi : loop.getHeader()->phis()) {
    carried += LaneBuilder::elements(phi.getType());
    ++phis;
  }
  const unsigned most = std::min(most_vectors, carried_registers / std::max(carried, 1U));
  if (!is_arithmetic(loop))
    return reads_rows(loop, loops, dimension) ? std::bit_floor(std::max(most, 1U)) : 1;
  if (carried == 0 || phis > most_phis) return 1;
  LoopBlocksRPO order(const_cast<Loop*>(&loop));
  order.perform(&loops);
  unsigned chain = 0, work = 0;
  for (const PHINode& phi : loop.getHeader()->phis()) {
    Schedule schedule(machine, &phi);
    for (const BasicBlock* block : order)
      for (const Instruction& instruction : *block)
        if (!isa<PHINode>(instruction) || block != loop.getHeader()) schedule.add(instruction, false);
    work = schedule.work;
    chain = std::max(chain, schedule.at(phi.getIncomingValueForBlock(loop.getLoopLatch())));
  }
  return vectors_to_fill(chain, work, most);
}

unsigned vectors_for_straight_code(const Function& kernel, const Machine& machine) {
  Schedule schedule(machine);
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    for (const Instruction& instruction : *block)
      schedule.add(instruction, true);
  return schedule.work < most_ahead ? 1 : vectors_to_fill(schedule.longest, schedule.work);
}

bool divides(const Value& value) {
  const auto* operation = dyn_cast<BinaryOperator>(&value);
  return operation &&
         (operation->isIntDivRem() || operation->isLogicalShift() || operation->isArithmeticShift()) &&
         operation->getOpcode() != Instruction::Shl;
}

/// The number of lanes that one host atomic can serve, for atomics whose results are used. If the address is uniform
/// and loop-invariant: any number. If the loop-invariant address is that of a word in a bit set, as in `&bits[id /
/// 32]`: the bits of the word. Otherwise, and for volatile atomics: 0.
unsigned lanes_of_atomic(const Instruction& instruction, const Loop& loop) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  if ((!update && !exchange) || instruction.use_empty() || instruction.isVolatile()) return 0;
  const Value* address = update ? update->getPointerOperand() : exchange->getPointerOperand();
  if (!loop.isLoopInvariant(address)) return 0;
  const LinearForm form = LinearForms(nullptr, Wrapping::ignored).of(*address, *instruction.getParent());
  constexpr unsigned on_local_ids = 7 * on_local_id;
  if (form.dependence() & (on_memory | on_item)) return 0;
  if (!(form.dependence() & on_local_ids)) return largest_width;
  const bool bits = update && all_of(form.terms, [&](const Term& term) {
                      return !(term.dependence & on_local_ids) ||
                             any_of(term.leaves, [](const Value* leaf) { return divides(*leaf); });
                    });
  return bits ? update->getType()->getScalarSizeInBits() : 0;
}

/// The number of lanes whose indices fill a vector register, for an atomic update of local memory at an index of 8 or
/// 16 bits that was loaded. Such an update becomes ordinary instructions, lane by lane; vectors gain by loading and
/// unpacking whole registers of indices. 0 for other instructions.
unsigned lanes_of_update(const Instruction& instruction, const Loop& loop, unsigned lanes) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  if (!update || !update->use_empty() || update->isVolatile() ||
      update->getPointerAddressSpace() != local_space)
    return 0;
  const LoadInst* index = nullptr;
  for (const Term& term :
       LinearForms(nullptr, Wrapping::ignored).of(*update->getPointerOperand(), *update->getParent()).terms)
    for (const Value* leaf : term.leaves) {
      if (loop.isLoopInvariant(leaf)) continue;
      while (isa<CastInst>(leaf) ||
             (isa<BinaryOperator>(leaf) && loop.isLoopInvariant(cast<Instruction>(leaf)->getOperand(1))))
        leaf = cast<Instruction>(leaf)->getOperand(0);
      if (index || !isa<LoadInst>(leaf) || !leaf->getType()->isIntegerTy()) return 0;
      index = cast<LoadInst>(leaf);
    }
  const unsigned bits = index ? index->getType()->getIntegerBitWidth() : 0;
  return bits == 8 || bits == 16 ? lanes * 32 / bits : 0;
}

/// The number of lanes that suits the atomics of a loop that does little else; 0 if the loop has other work.
unsigned lanes_of_atomics(const Loop& loop, unsigned lanes) {
  unsigned least = largest_width, atomics = 0, work = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (const unsigned most =
              std::max(lanes_of_atomic(instruction, loop), lanes_of_update(instruction, loop, lanes))) {
        least = std::min(least, most);
        ++atomics;
      } else {
        work += operations_of(instruction).for_one != 0 && !instruction.isTerminator();
      }
    }
  return atomics != 0 && work <= atomics * operations_per_atomic ? least : 0;
}

/// The number of vectors for kernels with a loop that is bound by atomics; 0 if there is no such loop. These loops
/// decide for the kernel, because their iterations cost most.
unsigned vectors_for_atomics(const LoopInfo& loops, unsigned lanes) {
  unsigned most = 0;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (const unsigned wanted = loop->isInnermost() ? lanes_of_atomics(*loop, lanes) : 0)
      most = most == 0 ? wanted : std::min(most, wanted);
  return std::min(most_vectors, most / lanes);
}

} // namespace

unsigned interleave_count(const Function& kernel, const TargetTransformInfo& target, unsigned lanes,
                          const VectoriseOptions& options) {
  const SmallPtrSet<const Instruction*, 16> counting = instructions_that_count(kernel);
  const Machine machine{target, counting, lanes, options.cpu.integer_latency};
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  if (const unsigned vectors = vectors_for_atomics(loops, lanes)) return vectors;
  if (loops.empty()) return vectors_for_straight_code(kernel, machine);
  unsigned vectors = most_vectors;
  bool any = false;
  // In a loop with a barrier, all work-items of a group run each iteration together, and the loop contains inner loops
  // over the group's vectors.
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && !has_barrier(*loop)) {
      vectors = std::min(vectors, vectors_for(*loop, loops, machine, options.dimension));
      any = true;
    }
  return any ? vectors : 1;
}

} // namespace hostcl::compiler
