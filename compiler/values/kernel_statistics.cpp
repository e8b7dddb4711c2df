#include "compiler/values/kernel_statistics.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/source_places.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <map>
#include <set>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Kind = FormulaStep::Kind;

constexpr unsigned most_depth = 24;
constexpr std::size_t most_steps = 200;

/// The step for a query of a size or an id; nothing for other values.
std::optional<FormulaStep> query(const Value& value) {
  const auto kind = called_intrinsic(value);
  if (!kind || !is_dimension_query(value)) return std::nullopt;
  const unsigned dimension = dimension_of(cast<CallBase>(value));
  const auto size = [&](FormulaStep::Size which) { return FormulaStep{Kind::size, 3 * which + dimension}; };
  switch (*kind) {
  case Intrinsic::local_id:
    return FormulaStep{Kind::local_id, dimension};
  case Intrinsic::group_id:
    return FormulaStep{Kind::group_id, dimension};
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
    return size(FormulaStep::local_size);
  case Intrinsic::global_size:
    return size(FormulaStep::global_size);
  case Intrinsic::global_offset:
    return size(FormulaStep::global_offset);
  case Intrinsic::group_count:
    return size(FormulaStep::group_count);
  default:
    return std::nullopt;
  }
}

/// The formula of a value that the launch does not determine.
Formula unknown_formula() {
  return {FormulaStep()};
}

/// The formula `left kind right`; unknown if one of both is unknown, or if the result is too long.
Formula combined(Formula left, Kind kind, const Formula& right) {
  const auto is_unknown = [](const FormulaStep& step) { return step.kind == Kind::unknown; };
  if (any_of(left, is_unknown) || any_of(right, is_unknown) || left.size() + right.size() >= most_steps)
    return unknown_formula();
  append_range(left, right);
  left.push_back({kind, 0});
  return left;
}

/// Converts values that are uniform, or depend on ids only, to formulas of a launch's sizes and arguments:
///
///   %n = argument 2                                   an argument, which the launch knows
///   {0,+,4}<inner>                                    4 * the mean number of the iteration
///   (-1 + (1 smax %n))                                the trip count of a loop minus one
///   %k = load i32, ptr addrspace(1) %p                unknown
///
/// Formulas are estimates: extensions and wrapping are ignored.
class Formulas {
public:
  /// @param numbers the numbers of loops in KernelStatistics
  Formulas(ScalarEvolution& evolution, const DenseMap<const Loop*, std::int32_t>& numbers)
      : evolution_(evolution), numbers_(numbers) {}

  Formula of(const SCEV& expression, unsigned depth = 0);
  Formula of(const Value& value) { return of(*expression(value)); }

private:
  const SCEV* expression(const Value& value) { return evolution_.getSCEV(const_cast<Value*>(&value)); }
  Formula folded(Kind kind, ArrayRef<const SCEV*> operands, unsigned depth);
  Formula of_unknown(const Value& value, unsigned depth);

  ScalarEvolution& evolution_;
  const DenseMap<const Loop*, std::int32_t>& numbers_;
};

/// The formulas of the operands, combined from left to right. The remaining operands of an unknown formula are not
/// visited: if operands are shared, the number of steps doubles with each level.
Formula Formulas::folded(Kind kind, ArrayRef<const SCEV*> operands, unsigned depth) {
  Formula formula = of(*operands.front(), depth + 1);
  for (const SCEV* operand : operands.drop_front())
    if (formula != unknown_formula()) formula = combined(std::move(formula), kind, of(*operand, depth + 1));
  return formula;
}

Formula Formulas::of(const SCEV& expression, unsigned depth) {
  if (depth > most_depth) return unknown_formula();
  const auto all = [&](Kind kind) { return folded(kind, expression.operands(), depth); };
  switch (expression.getSCEVType()) {
  case scConstant: {
    const APInt& bits = cast<SCEVConstant>(expression).getAPInt();
    return {{Kind::constant, bits.getSignificantBits() <= 64 ? bits.getSExtValue() : 0}};
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
    return of(*expression.operands()[0], depth + 1);
  case scAddExpr:
    return all(Kind::add);
  case scMulExpr:
    return all(Kind::multiply);
  case scUDivExpr:
    return all(Kind::divide);
  case scUMaxExpr:
  case scSMaxExpr:
    return all(Kind::largest);
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    return all(Kind::smallest);
  case scAddRecExpr: {
    const auto& counter = cast<SCEVAddRecExpr>(expression);
    const auto number = numbers_.find(counter.getLoop());
    if (!counter.isAffine() || number == numbers_.end()) return unknown_formula();
    Formula start = of(*counter.getStart(), depth + 1);
    if (start == unknown_formula()) return start;
    return combined(std::move(start), Kind::add,
                    combined(of(*counter.getStepRecurrence(evolution_), depth + 1), Kind::multiply,
                             {{Kind::iteration, number->second}}));
  }
  case scUnknown:
    return of_unknown(*cast<SCEVUnknown>(expression).getValue(), depth);
  default:
    return unknown_formula();
  }
}

/// The formula of a value that ScalarEvolution does not analyse, such as signed divisions and right shifts.
Formula Formulas::of_unknown(const Value& value, unsigned depth) {
  using namespace PatternMatch;
  if (const auto* argument = dyn_cast<Argument>(&value); argument && argument->getType()->isIntegerTy())
    return {{Kind::argument, argument->getArgNo()}};
  if (const auto step = query(value)) return {*step};
  const Value *left = nullptr, *right = nullptr;
  const APInt* bits = nullptr;
  if (match(&value, m_SDiv(m_Value(left), m_Value(right))))
    return folded(Kind::divide, {expression(*left), expression(*right)}, depth);
  if (match(&value, m_AShr(m_Value(left), m_APInt(bits))) && bits->ult(62))
    return combined(of(*expression(*left), depth + 1), Kind::divide,
                    {{Kind::constant, std::int64_t{1} << bits->getZExtValue()}});
  return unknown_formula();
}

/// Whether the kernel returns from this block without doing anything else.
bool is_end(const BasicBlock& block) {
  const BasicBlock* at = &block;
  for (unsigned steps = 0; at && steps < 4; ++steps) {
    const Instruction* first = &*at->getFirstNonPHIOrDbg();
    if (isa<ReturnInst>(first)) return true;
    if (first != at->getTerminator()) return false;
    at = at->getSingleSuccessor();
  }
  return false;
}

/// Whether the block is a loop's header, or leads to one directly.
bool enters_loop(const BasicBlock& block, const LoopInfo& loops) {
  if (loops.isLoopHeader(&block)) return true;
  const BasicBlock* next = block.getSingleSuccessor();
  return next && loops.isLoopHeader(next) && loops.getLoopFor(next) != loops.getLoopFor(&block);
}

/// The successors inside of the same loop that are likely: those that do not return, or the one that enters a loop; all
/// of them if there is no such difference.
SmallPtrSet<const BasicBlock*, 4> likely(const BasicBlock& block, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(&block);
  SmallPtrSet<const BasicBlock*, 4> within, worked, entering;
  for (const BasicBlock* next : successors(&block)) {
    if (loop && (!loop->contains(next) || next == loop->getHeader())) continue;
    within.insert(next);
    if (!is_end(*next)) worked.insert(next);
    if (enters_loop(*next, loops)) entering.insert(next);
  }
  if (worked.empty() || worked.size() == within.size())
    return entering.size() == 1 && within.size() == 2 ? entering : within;
  return worked;
}

/// Estimates how often blocks run for each iteration of their loop, or for each work-item outside of loops, in a
/// typical launch: most work-items pass guards, and loops run at least once. At other divergent branches, each
/// successor counts half. LLVM's block frequencies would count guards half as well.
///
///   if (i < n) { a[i] = 0; }          the store runs once
///   for (...) if (a[k] > 0) ++m;      the sum runs half of the times, and is conditional
class RunCounts {
public:
  RunCounts(const Function& kernel, const LoopInfo& loops) : loops_(loops) {
    counts_[&kernel.getEntryBlock()] = 1;
    for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
      spread(*block);
  }
  double of(const BasicBlock& block) const {
    return loops_.isLoopHeader(&block) ? 1 : counts_.lookup(&block);
  }
  bool is_conditional(const BasicBlock& block) const { return counts_.lookup(&block) < 0.999; }

private:
  void spread(const BasicBlock& block);

  const LoopInfo& loops_;
  DenseMap<const BasicBlock*, double> counts_; ///< of a loop's header: how often the loop is entered
};

/// Distributes the block's count among its likely successors. A loop's header starts again with 1, and the loop's exits
/// get the count that the header had from outside.
void RunCounts::spread(const BasicBlock& block) {
  if (loops_.isLoopHeader(&block)) {
    SmallVector<BasicBlock*, 4> exits;
    loops_.getLoopFor(&block)->getUniqueExitBlocks(exits);
    for (const BasicBlock* exit : exits)
      counts_[exit] += counts_.lookup(&block) / static_cast<double>(exits.size());
  }
  const auto taken = likely(block, loops_);
  for (const BasicBlock* next : taken)
    counts_[next] = std::min(1.0, counts_.lookup(next) + of(block) / static_cast<double>(taken.size()));
}

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
  if (!instruction.getType()->isFPOrFPVectorTy()) return 0;
  if (isa<BinaryOperator>(instruction)) return 1;
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
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
  explicit Finder(Function& kernel) : kernel_(kernel) {}

  KernelStatistics find();

private:
  std::uint32_t line_of(const Instruction& instruction);
  void add_loops();
  void add_access(const Instruction& access, const MemoryLocation& place);
  void add_steps(const Value& address, const BasicBlock& at, AccessStatistics& into);
  Formula stride(const LinearForm& form, unsigned dimension);
  void add_work(const Instruction& instruction);
  std::int32_t loop_around(const Instruction& instruction) const {
    const Loop* loop = loops_.getLoopFor(instruction.getParent());
    return loop ? numbers_.lookup(loop) : -1;
  }

  Function& kernel_;
  DominatorTree dominators_{kernel_};
  LoopInfo loops_{dominators_};
  TargetLibraryInfoImpl library_info_{kernel_.getParent()->getTargetTriple()};
  TargetLibraryInfo library_{library_info_};
  AssumptionCache assumptions_{kernel_};
  ScalarEvolution evolution_{kernel_, library_, assumptions_, dominators_, loops_};
  RunCounts counts_{kernel_, loops_};
  LinearForms forms_{&loops_, Wrapping::ignored};
  DenseMap<const Loop*, std::int32_t> numbers_; ///< as in KernelStatistics
  Formulas formulas_{evolution_, numbers_};
  std::map<std::uint32_t, std::string> source_;
  std::map<std::int32_t, OperationStatistics> work_;
  std::set<std::uint32_t> widened_;
  KernelStatistics statistics_;
};

std::uint32_t Finder::line_of(const Instruction& instruction) {
  const SourcePlace place = source_place(instruction);
  if (place.line != 0) source_.try_emplace(place.line, place.source_line());
  return place.line;
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
    // Of several exits, only those count whose trip counts are known.
    found.iterations = combined(formulas_.of(*evolution_.getSymbolicMaxBackedgeTakenCount(loop)),
                                FormulaStep::add, {{FormulaStep::constant, 1}});
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
  found.line = line_of(access);
  found.loop = loop_around(access);
  if (const auto* argument = dyn_cast<Argument>(getUnderlyingObject(&address, /*MaxLookup=*/0)))
    found.argument = static_cast<std::int32_t>(argument->getArgNo());
  found.bytes = static_cast<std::uint32_t>(place.Size.getValue().getFixedValue());
  found.is_write = !isa<LoadInst>(access);
  found.is_atomic = access.isAtomic();
  found.is_conditional = counts_.is_conditional(*access.getParent());
  found.often = counts_.of(*access.getParent());
  found.from_memory = is_data_dependent(address);
  add_steps(address, *access.getParent(), found);
  statistics_.accesses.push_back(std::move(found));
}

void Finder::add_work(const Instruction& instruction) {
  const unsigned floats = float_operations(instruction);
  const bool is_integer = isa<BinaryOperator>(instruction) && instruction.getType()->isIntOrIntVectorTy();
  if (!floats && !is_integer) return;
  const std::int32_t loop = loop_around(instruction);
  OperationStatistics& work = work_[loop];
  work.loop = loop;
  statistics_.is_conditional |= counts_.is_conditional(*instruction.getParent());
  const double number = counts_.of(*instruction.getParent()) * elements(*instruction.getType());
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
    if (is_widened(instruction)) widened_.insert(line_of(instruction));
  }
  for (auto& [loop, work] : work_)
    statistics_.work.push_back(work);
  statistics_.widened.assign(widened_.begin(), widened_.end());
  for (auto& [line, text] : source_)
    if (!text.empty()) statistics_.source.push_back({line, text});
  return std::move(statistics_);
}

} // namespace

KernelStatistics statistics_of(Function& kernel) {
  return Finder(kernel).find();
}

} // namespace hostcl::compiler
