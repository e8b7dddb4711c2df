#include "compiler/passes/2_vector/choose/scalar_profitability.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/lane_builder.hpp"
#include "compiler/passes/2_vector/plan/plan.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned fewest_rows = 2;  ///< rows that a loop must read for the scalar form to pay
constexpr unsigned fewest_parts = 4; ///< record elements that a kernel must access for the scalar form to pay

/// Whether the access has a stride that is certain, and too large for one wide access.
bool is_far_apart(const Instruction& access, const Recipe& recipe) {
  if (recipe.confidence == Confidence::guess) return false;
  if (getLoadStoreType(&access)->isVectorTy()) return recipe.stride != 0 && recipe.stride != bytes_of(access);
  return std::abs(recipe.stride) > largest_gap * bytes_of(access);
}

/// Whether the access is a gather or scatter, or has a large stride. Local memory does not count: values that
/// work-items exchange there are computed and used as vectors.
bool is_scattered(const Instruction& access, const Plan& plan) {
  const Value* address = getLoadStorePointerOperand(&access);
  if (address->getType()->getPointerAddressSpace() == local_space) return false;
  const Recipe& recipe = plan.of(access);
  if (!plan.shapes.of(address).is_varying()) return is_far_apart(access, recipe);
  return recipe.confidence == Confidence::known || std::abs(recipe.stride) > largest_gap * bytes_of(access);
}

/// Scattered and gathered elements, and other operations, for each run of the kernel. In a kernel without loops each
/// block counts once, whatever its frequency, because inactive lanes wait while active lanes run the block.
struct Work {
  double scatters = 0, gathers = 0, narrow_gathers = 0, other = 0;
  double scattered() const { return scatters + gathers + narrow_gathers; }
};

Work count_work(const Plan& plan, function_ref<bool(const Instruction&)> is_scattered) {
  const Function& kernel = plan.kernel();
  std::optional<BlockFrequencies> frequencies;
  if (!plan.loops.empty()) frequencies.emplace(kernel, plan.loops);
  Work work;
  for (const BasicBlock& block : kernel) {
    const double often = frequencies ? frequencies->of(block) : 1;
    for (const Instruction& instruction : block) {
      const bool is_store = isa<StoreInst>(instruction);
      if ((is_store || isa<LoadInst>(instruction)) && is_scattered(instruction)) {
        Type* type = getLoadStoreType(&instruction);
        double& elements = is_store                            ? work.scatters
                           : type->getScalarSizeInBits() <= 16 ? work.narrow_gathers
                                                               : work.gathers;
        elements += often * LaneBuilder::elements(type);
      } else if (is_store || plan.shapes.of(&instruction).is_varying()) {
        work.other +=
            often * operations_of(instruction).for_one * LaneBuilder::elements(instruction.getType());
      }
    }
  }
  return work;
}

/// Whether the kernel does little but copy elements of records. A kernel with loops does not count.
bool moves_records(const Plan& plan) {
  if (!plan.loops.empty()) return false;
  const Work work =
      count_work(plan, [&](const Instruction& access) { return is_far_apart(access, plan.of(access)); });
  return work.scattered() >= fewest_parts && work.other <= work.scattered() * operations_per_part;
}

/// Whether the load reads consecutive elements in consecutive iterations of the loop, each lane from a row of its own.
bool reads_own_row(const Instruction& instruction, const Loop& loop, LinearForms& forms) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  return load && forms.step(*load->getPointerOperand(), loop) == bytes_of(*load);
}

/// Whether the loop reads several rows per lane, of a length that is divergent, and does little else. In
/// vectors, lanes whose row has ended cost as much as the lanes that still read.
bool walks_rows(const Loop& loop, const Plan& plan) {
  if (!loop.isInnermost() || !plan.shapes.diverges(&loop)) return false;
  LinearForms forms(&plan.loops, Wrapping::ignored);
  unsigned rows = 0, work = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const bool varies = plan.shapes.of(&instruction).is_varying();
      if (counts_executions(instruction)) continue;
      if (instruction.mayWriteToMemory()) return false;
      if (isa<LoadInst>(instruction))
        rows += varies && reads_own_row(instruction, loop, forms);
      else
        work += varies && operations_of(instruction).for_one != 0;
    }
  return rows >= fewest_rows && work <= rows * operations_per_part;
}

/// Whether the next value of `phi` depends on a load whose address depends on the phi.
bool goes_through_load(const PHINode& phi, const Loop& loop) {
  SmallPtrSet<const Value*, 16> of_phi{&phi}, of_load;
  for (const Instruction& instruction : *loop.getHeader()) {
    auto uses = [&](const SmallPtrSetImpl<const Value*>& values) {
      return any_of(instruction.operands(), [&](const Use& operand) { return values.contains(operand); });
    };
    if (isa<PHINode>(instruction) || !uses(of_phi)) continue;
    of_phi.insert(&instruction);
    if (isa<LoadInst>(instruction) || uses(of_load)) of_load.insert(&instruction);
  }
  return of_load.contains(phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

/// Whether each iteration's load depends on the previous iteration's load, as in checksums by table. Vectors pay here,
/// because all lanes wait for their loads at the same time.
bool waits_for_loads(const Loop& loop, const Shapes& shapes) {
  return loop.getNumBlocks() == 1 && !shapes.diverges(&loop) &&
         any_of(loop.getHeader()->phis(), [&](const PHINode& phi) { return goes_through_load(phi, loop); });
}

/// Whether the instruction hands out indices, as an atomic counter or a pipe does. The indices of neighbouring lanes
/// are consecutive, so accesses at them are not really scattered.
bool hands_out_places(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return instruction.isAtomic() || (callee && callee->getName().starts_with("__hostcl_pipe_reserve_"));
}

/// Whether the kernel mostly scatters, or gathers elements of 8 or 16 bits.
bool mostly_scatters(const Plan& plan) {
  if (any_of(plan.loops.getLoopsInPreorder(),
             [&](const Loop* loop) { return waits_for_loads(*loop, plan.shapes); }) ||
      any_of(instructions(plan.kernel()), hands_out_places))
    return false;
  const Work work = count_work(plan, [&](const Instruction& access) { return is_scattered(access, plan); });
  return work.scatters + work.narrow_gathers != 0 &&
         work.other < work.scatters * operations_per_scatter + work.gathers * operations_per_gather +
                          work.narrow_gathers * operations_per_narrow_gather;
}

/// Whether the CPU has a gather or scatter instruction for the access. Gathers of 8 and 16 bits load words of 32 bits.
bool has_instruction(const Instruction& access, const Capabilities& cpu) {
  constexpr unsigned bits_with_scatters = 512;
  if (isa<LoadInst>(access)) return cpu.gathers;
  return cpu.vector_bits >= bits_with_scatters && getLoadStoreType(&access)->getScalarSizeInBits() >= 32;
}

/// The number of scalar accesses that the kernel's gathers and scatters would become. Those for which the CPU has an
/// instruction do not count.
unsigned accesses_of_lanes(const Plan& plan) {
  unsigned accesses = 0;
  for (const Instruction& instruction : instructions(plan.kernel()))
    if (isa<LoadInst, StoreInst>(instruction) && !has_instruction(instruction, plan.options.cpu) &&
        plan.shapes.of(getLoadStorePointerOperand(&instruction)).is_varying())
      accesses += plan.options.width * LaneBuilder::elements(getLoadStoreType(&instruction));
  return accesses;
}

const char* why_faster_scalar(const Plan& plan) {
  const Switches& switches = plan.options.switches;
  if (switches.is_on(Heuristic::records) && note_change(Heuristic::records, moves_records(plan)))
    return "it moves whole records (structures) with a large stride, which is faster one work-item at a time";
  if (switches.is_on(Heuristic::walked_rows) &&
      any_of(plan.loops.getLoopsInPreorder(), [&](const Loop* loop) { return walks_rows(*loop, plan); }) &&
      note_change(Heuristic::walked_rows))
    return "its loop reads rows of different lengths, which is faster one work-item at a time";
  if (switches.is_on(Heuristic::scattered_access) && plan.options.cpu.slow_scattered_access &&
      note_change(Heuristic::scattered_access, mostly_scatters(plan)))
    return "it mostly gathers and scatters, which is faster one work-item at a time";
  return nullptr;
}

} // namespace

const char* why_scalar(const Plan& plan) {
  if (plan.options.only_if_faster)
    if (const char* reason = why_faster_scalar(plan)) return reason;
  return note_change(Heuristic::short_vectors, accesses_of_lanes(plan) > plan.options.most_accesses)
             ? "its accesses would need separate code for each lane, which takes long to compile"
             : nullptr;
}

} // namespace hostcl::compiler
