#include "compiler/passes/2_vector/choose/scalar_profitability.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/lane_builder.hpp"
#include "compiler/passes/2_vector/options.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::int64_t near = 4; ///< the largest stride, in elements, of wide accesses with gaps (access.cpp)
constexpr unsigned fewest_rows = 2;  ///< rows that a loop must read for the scalar form to pay
constexpr unsigned fewest_parts = 4; ///< record elements that a kernel must access for the scalar form to pay

std::int64_t size_of(const Instruction& access) {
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return static_cast<std::int64_t>(size.getFixedValue());
}

bool is_far_apart(const Instruction& access, const Shapes& shapes) {
  const Shape shape = shapes.of(getLoadStorePointerOperand(&access));
  if (!shape.is_affine()) return false;
  if (getLoadStoreType(&access)->isVectorTy()) return shape.stride() != size_of(access);
  return std::abs(shape.stride()) > near * size_of(access);
}

/// Whether the access is a gather or scatter, or has a large stride. Local memory does not count: values that
/// work-items exchange there are computed and used as vectors.
bool is_scattered(const Instruction& access, const Shapes& shapes) {
  const Value* address = getLoadStorePointerOperand(&access);
  if (address->getType()->getPointerAddressSpace() == local_space) return false;
  if (!shapes.of(address).is_varying()) return is_far_apart(access, shapes);
  const auto stride = shapes.of(address).likely_stride();
  return !stride || (*stride != 0 && std::abs(*stride) > near * size_of(access));
}

/// Scattered and gathered elements, and other operations, for each run of the kernel. In a kernel without loops each
/// block counts once, whatever its frequency, because inactive lanes wait while active lanes run the block.
struct Work {
  double scatters = 0, gathers = 0, narrow_gathers = 0, other = 0;
  double scattered() const { return scatters + gathers + narrow_gathers; }
};

Work count_work(const Function& kernel, const LoopInfo& loops, const Shapes& shapes,
                function_ref<bool(const Instruction&)> is_scattered) {
  std::optional<BlockFrequencies> frequencies;
  if (!loops.empty()) frequencies.emplace(kernel, loops);
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
      } else if (is_store || shapes.of(&instruction).is_varying()) {
        work.other += often * operations_of(instruction).for_one * elements_of(instruction);
      }
    }
  }
  return work;
}

/// Whether the kernel does little but copy elements of records. A kernel with loops does not count.
bool moves_records(const Function& kernel, const LoopInfo& loops, const Shapes& shapes) {
  if (!loops.empty()) return false;
  const Work work = count_work(kernel, loops, shapes,
                               [&](const Instruction& access) { return is_far_apart(access, shapes); });
  return work.scattered() >= fewest_parts && work.other <= work.scattered() * operations_per_part;
}

/// Whether the load reads consecutive elements in consecutive iterations of the loop, each lane from a row of its own.
bool reads_own_row(const Instruction& instruction, const Loop& loop, LinearForms& forms) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  return load && forms.step(*load->getPointerOperand(), loop) == size_of(*load);
}

/// Whether the loop reads several rows per lane, of a length that is divergent, and does little else. In
/// vectors, lanes whose row has ended cost as much as the lanes that still read.
bool walks_rows(const Loop& loop, const LoopInfo& loops, const Shapes& shapes) {
  if (!loop.isInnermost() || !shapes.diverges(&loop)) return false;
  LinearForms forms(&loops, Wrapping::ignored);
  unsigned rows = 0, work = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const bool varies = shapes.of(&instruction).is_varying();
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
bool mostly_scatters(const Function& kernel, const LoopInfo& loops, const Shapes& shapes,
                     const VectoriseOptions& options) {
  if (any_of(loops.getLoopsInPreorder(), [&](const Loop* loop) { return waits_for_loads(*loop, shapes); }))
    return false;
  if (any_of(instructions(kernel), hands_out_places)) return false;
  const Work work = count_work(kernel, loops, shapes,
                               [&](const Instruction& access) { return is_scattered(access, shapes); });
  return work.scatters + work.narrow_gathers != 0 &&
         work.other < work.scatters * operations_per_scatter + work.gathers * operations_per_gather +
                          work.narrow_gathers * operations_per_narrow_gather;
}

} // namespace

const char* why_scalar(const Function& kernel, const LoopInfo& loops, const Shapes& shapes,
                       const VectoriseOptions& options) {
  const Switches& switches = options.switches;
  if (switches.is_on(Heuristic::records) &&
      note_change(Heuristic::records, moves_records(kernel, loops, shapes)))
    return "it moves whole records (structures) with a large stride, which is faster one work-item at a time";
  if (switches.is_on(Heuristic::walked_rows) &&
      any_of(loops.getLoopsInPreorder(),
             [&](const Loop* loop) { return walks_rows(*loop, loops, shapes); }) &&
      note_change(Heuristic::walked_rows))
    return "its loop reads rows of different lengths, which is faster one work-item at a time";
  if (switches.is_on(Heuristic::scattered_access) && options.cpu.slow_scattered_access &&
      note_change(Heuristic::scattered_access, mostly_scatters(kernel, loops, shapes, options)))
    return "it mostly gathers and scatters, which is faster one work-item at a time";
  return nullptr;
}

} // namespace hostcl::compiler
