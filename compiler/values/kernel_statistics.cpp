#include "compiler/values/kernel_statistics.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/formulas.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/run_counts.hpp"
#include "compiler/values/source_places.hpp"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <map>

namespace hostcl::compiler {

using namespace llvm;

namespace {

AccessStatistics::Space space_of(const Value& address) {
  switch (address.getType()->getPointerAddressSpace()) {
  case global_space:
  case generic_space:
    return AccessStatistics::global;
  case constant_space:
    return AccessStatistics::constant;
  case local_space:
    return AccessStatistics::local;
  default:
    return AccessStatistics::other;
  }
}

/// The number of floating-point operations, per element, that an instruction counts as.
unsigned float_operations(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return 1;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || !call->getType()->isFPOrFPVectorTy()) return 0;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    return 2;
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
    return 1;
  default:
    return 0;
  }
}

bool divides(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.getOpcode() == Instruction::FDiv ||
         (call && call->getIntrinsicID() == llvm::Intrinsic::sqrt);
}

unsigned elements(const Type& type) {
  const auto* vector = dyn_cast<FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

/// Whether a value is computed in double precision from floats or constants and then truncated to float, as happens if
/// a constant has no suffix `f`.
bool is_widened(const Instruction& instruction) {
  if (!isa<FPTruncInst>(instruction) || !instruction.getType()->getScalarType()->isFloatTy()) return false;
  const auto* operation = dyn_cast<Instruction>(instruction.getOperand(0));
  return operation && float_operations(*operation) != 0 &&
         any_of(operation->operands(),
                [](const Use& operand) { return isa<FPExtInst>(operand) || isa<Constant>(operand); });
}

class Finder {
public:
  explicit Finder(Function& kernel)
      : kernel_(kernel),
        dominators_(kernel),
        loops_(dominators_),
        library_info_(Triple(kernel.getParent()->getTargetTriple())),
        library_(library_info_),
        assumptions_(kernel),
        evolution_(kernel, library_, assumptions_, dominators_, loops_),
        counts_(kernel, loops_),
        forms_(&loops_, Wrapping::ignored),
        formulas_(evolution_, numbers_) {}

  KernelStatistics find();

private:
  std::uint32_t line_of(const Instruction& instruction);
  void add_loops();
  Formula iterations(Loop& loop);
  void add_access(const Instruction& access, const MemoryLocation& place);
  void add_steps(const Value& address, const BasicBlock& at, AccessStatistics& into);
  Formula stride(const LinearForm& form, unsigned dimension);
  void add_work(const Instruction& instruction);
  std::int32_t loop_around(const Instruction& instruction) const {
    const Loop* loop = loops_.getLoopFor(instruction.getParent());
    return loop ? numbers_.lookup(loop) : -1;
  }

  Function& kernel_;
  DominatorTree dominators_;
  LoopInfo loops_;
  TargetLibraryInfoImpl library_info_;
  TargetLibraryInfo library_;
  AssumptionCache assumptions_;
  ScalarEvolution evolution_;
  RunCounts counts_;
  LinearForms forms_;
  DenseMap<const Loop*, std::int32_t> numbers_;
  Formulas formulas_;
  std::map<std::uint32_t, std::string> source_;
  std::map<std::int32_t, OperationStatistics> work_;
  KernelStatistics statistics_;
};

std::uint32_t Finder::line_of(const Instruction& instruction) {
  const SourcePlace place = source_place(instruction);
  if (place.line != 0) source_.try_emplace(place.line, place.source_line());
  return place.line;
}

/// The formula of the loop's trip count: if the loop has several exits, by those whose counts are known.
Formula Finder::iterations(Loop& loop) {
  const SCEV* back = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(back)) return unknown_formula();
  return combined(formulas_.of(*back), FormulaStep::add, {{FormulaStep::constant, 1}});
}

void Finder::add_loops() {
  const auto loops = loops_.getLoopsInPreorder();
  for (const Loop* loop : loops)
    numbers_[loop] = static_cast<std::int32_t>(numbers_.size());
  for (Loop* loop : loops) {
    LoopStatistics found;
    if (const Loop* outer = loop->getParentLoop()) found.outer = numbers_.lookup(outer);
    found.line = line_of(*loop->getHeader()->getTerminator());
    if (const DILocation* start = loop->getStartLoc().get(); start && start->getLine() != 0)
      found.line = start->getLine();
    found.iterations = iterations(*loop);
    statistics_.loops.push_back(std::move(found));
  }
}

/// The formula of the stride in bytes between neighbouring work-items along the dimension.
Formula Finder::stride(const LinearForm& form, unsigned dimension) {
  Formula sum{{FormulaStep::constant, 0}};
  for (const Term& term : form.terms) {
    if (!(term.dependence & ((on_local_id << dimension) | on_item))) continue;
    bool has_id = false;
    Formula product{{FormulaStep::constant, term.factor}};
    for (const Value* leaf : term.leaves)
      if (has_id || !is_call_of(*leaf, Intrinsic::local_id) ||
          dimension_of(*cast<CallBase>(leaf)) != dimension)
        product = combined(std::move(product), FormulaStep::multiply, formulas_.of(*leaf));
      else
        has_id = true;
    sum = combined(std::move(sum), FormulaStep::add, has_id ? product : unknown_formula());
  }
  return sum;
}

void Finder::add_steps(const Value& address, const BasicBlock& at, AccessStatistics& into) {
  const LinearForm form = forms_.of(address, at);
  for (unsigned dimension : {0U, 1U})
    into.strides[dimension] = stride(form, dimension);
  const Loop* loop = loops_.getLoopFor(&at);
  if (!loop) return;
  const SCEV* place = evolution_.getSCEV(const_cast<Value*>(&address));
  into.stays = evolution_.isLoopInvariant(place, loop);
  const auto* counter = dyn_cast<SCEVAddRecExpr>(place);
  into.step = into.stays ? Formula{{FormulaStep::constant, 0}}
              : counter && counter->getLoop() == loop && counter->isAffine()
                  ? formulas_.of(*counter->getStepRecurrence(evolution_))
                  : unknown_formula();
}

void Finder::add_access(const Instruction& access, const MemoryLocation& place) {
  const Value& address = *place.Ptr;
  AccessStatistics found;
  found.space = space_of(address);
  if (found.space == AccessStatistics::other) return;
  const RunCount runs = counts_.of(*access.getParent());
  found.line = line_of(access);
  found.loop = loop_around(access);
  if (const auto* argument = dyn_cast<Argument>(getUnderlyingObject(&address, /*MaxLookup=*/0)))
    found.argument = static_cast<std::int32_t>(argument->getArgNo());
  found.bytes = static_cast<std::uint32_t>(place.Size.getValue().getFixedValue());
  found.is_write = !isa<LoadInst>(access);
  found.is_atomic = access.isAtomic();
  found.is_conditional = runs.is_conditional;
  found.often = runs.often;
  found.from_memory = is_data_dependent(address);
  add_steps(address, *access.getParent(), found);
  statistics_.accesses.push_back(std::move(found));
}

void Finder::add_work(const Instruction& instruction) {
  const unsigned floats = float_operations(instruction);
  const bool is_integer = isa<BinaryOperator>(instruction) && instruction.getType()->isIntOrIntVectorTy();
  if (!floats && !is_integer) return;
  const RunCount runs = counts_.of(*instruction.getParent());
  const std::int32_t loop = loop_around(instruction);
  OperationStatistics& work = work_[loop];
  work.loop = loop;
  statistics_.is_conditional |= runs.is_conditional;
  const double number = runs.often * elements(*instruction.getType());
  if (is_integer) work.integers += number;
  (instruction.getType()->getScalarType()->isDoubleTy() ? work.doubles : work.floats) += floats * number;
  if (divides(instruction)) work.divisions += number;
}

KernelStatistics Finder::find() {
  if (const DISubprogram* place = kernel_.getSubprogram()) statistics_.line = place->getLine();
  add_loops();
  for (const Instruction& instruction : instructions(kernel_)) {
    add_work(instruction);
    if (!isa<CallBase>(instruction))
      if (const auto place = MemoryLocation::getOrNone(&instruction)) add_access(instruction, *place);
    if (is_call_of(instruction, Intrinsic::barrier)) ++statistics_.barriers;
    if (is_widened(instruction)) statistics_.widened.push_back(line_of(instruction));
  }
  for (auto& [loop, work] : work_)
    statistics_.work.push_back(work);
  std::ranges::sort(statistics_.widened);
  statistics_.widened.erase(std::ranges::unique(statistics_.widened).begin(), statistics_.widened.end());
  for (auto& [line, text] : source_)
    if (!text.empty()) statistics_.source.push_back({line, text});
  return std::move(statistics_);
}

} // namespace

KernelStatistics statistics_of(Function& kernel) {
  return Finder(kernel).find();
}

} // namespace hostcl::compiler
