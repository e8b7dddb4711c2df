#include "compiler/passes/2_vector/shapes/shapes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/1_kernel/guarded_division.hpp"
#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/private_arrays.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

Shapes::Shapes(Function& function, const ForwardGraph& graph, const LoopInfo& loops, const Ranges& ranges,
               const Switches& switches)
    : graph_(graph),
      loops_(loops),
      ranges_(ranges),
      layout_(function.getDataLayout()),
      tests_clamps_(switches.is_on(Heuristic::clamped_indices)),
      guesses_(switches.is_on(Heuristic::likely_strides)),
      control_class_(graph.size()),
      divergent_(graph.size(), false),
      forced_uniform_(branches_about_barriers(graph, loops)),
      uniform_join_(graph.size(), true) {
  while (sweep()) {
  }
}

Shape Shapes::of(const Value* value) const {
  if (isa<Instruction>(value)) return shapes_.lookup(value);
  return Shape::make_uniform();
}

// ---- Control

/// Recomputes all shapes and divergent branches once. @returns whether anything changed
bool Shapes::sweep() {
  bool changed = false;
  for (unsigned b = 0; b < graph_.size(); ++b) {
    find_control_class(b);
    for (const Instruction& instruction : *graph_.block(b)) {
      Shape now = compute(instruction);
      if (now.is_varying() && !guesses_) now = Shape::make_varying();
      Shape& was = shapes_[&instruction];
      if (now == was || was == Shape::make_varying()) continue;
      const bool is_first_guess = now.is_varying() && !was.is_varying();
      was = is_first_guess || !was.is_computed() ? now : Shape::make_varying();
      changed = true;
    }
    changed |= update_branch(b);
  }
  changed |= update_loops();
  return changed;
}

bool Shapes::update_branch(unsigned block) {
  const Value* decision = deciding_value(*graph_.block(block));
  if (!decision || divergent_[block] || forced_uniform_[block]) return false;
  return divergent_[block] = !of(decision).is_uniform();
}

/// Computes the control_class of a block from the leaders of earlier blocks.
void Shapes::find_control_class(unsigned b) {
  const BasicBlock* block = graph_.block(b);
  control_class_[b] = b;
  uniform_join_[b] = true;
  if (b == 0) return;
  const Loop* loop = loops_.getLoopFor(block);
  if (loop && loop->getHeader() == block) {
    if (!diverges(loop)) control_class_[b] = control_class_[graph_.index(loop->getLoopPreheader())];
    return;
  }
  bool together = true, leaves = false;
  unsigned common = ~0u, edges = 0;
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (const BasicBlock* from : predecessors(block)) {
    if (!seen.insert(from).second) continue; // a switch may lead here in several cases
    unsigned p = graph_.index(from);
    for (const Loop* left = loops_.getLoopFor(from); left && !left->contains(block);
         left = left->getParentLoop())
      leaves |= diverges(left);
    together &= !divergent_[p] && (edges == 0 || control_class_[p] == common);
    common = control_class_[p];
    ++edges;
  }
  uniform_join_[b] = edges == 1 || (together && !leaves);
  if (together && !leaves) {
    control_class_[b] = common;
    return;
  }
  unsigned outer_dominator = graph_.outer_dominator(b, loops_);
  if (graph_.postdominates(b, outer_dominator)) control_class_[b] = control_class_[outer_dominator];
}

bool Shapes::update_loops() {
  bool changed = false;
  for (const Loop* loop : loops_.getLoopsInPreorder()) {
    if (diverges(loop)) continue;
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    unsigned start = control_class_[graph_.index(loop->getHeader())];
    for (const BasicBlock* block : exiting) {
      unsigned b = graph_.index(block);
      if (!divergent_[b] && control_class_[b] == start) continue;
      divergent_loops_.insert(loop);
      changed = true;
      break;
    }
  }
  return changed;
}

std::vector<bool> Shapes::predictable_masks() const {
  LinearForms forms(nullptr, Wrapping::ignored);
  std::vector<bool> predictable(graph_.size());
  for (unsigned b = 0; b < graph_.size(); ++b) {
    const BasicBlock* block = graph_.block(b);
    const Loop* loop = loops_.getLoopFor(block);
    const bool again = loop && loop->getHeader() == block && diverges(loop);
    predictable[b] = !again && all_of(predecessors(block), [&](const BasicBlock* from) {
      const unsigned p = graph_.index(from);
      if (p >= b) return true; // a latch of a uniform loop, which has the same lanes as this header
      if (!predictable[p]) return false;
      return branches_uniformly(p) ||
             !(forms.of(*deciding_value(*from), *from).dependence() & (on_memory | on_item));
    });
  }
  return predictable;
}

// ---- Values

namespace {

/// Largest stride of checked shapes. The distance between the first and the last lane then fits into 32 bits.
constexpr std::uint64_t largest_checked_stride = 1 << 16;

/// The number of low bits in which lanes can differ: if the first lane's value is a multiple of 2^result, the values of
/// all lanes lie below the next multiple. Nothing if the shape is not known to be affine with a positive stride.
std::optional<unsigned> lane_bits(Shape shape, unsigned width) {
  if (!shape.is_affine() || shape.is_checked() || shape.stride() <= 0 || shape.stride() > (1 << 24))
    return std::nullopt;
  return Log2_64_Ceil(static_cast<std::uint64_t>(shape.stride()) * width);
}

/// Whether the lanes of a vector, with this stride, mostly fall into the same aligned interval of `size`.
bool mostly_within(std::int64_t stride, std::uint64_t size, unsigned width) {
  return stride == 0 || AbsoluteValue(stride) < size / (2ul * width);
}

/// The guess for a value that is one of two others in each lane: their common stride, or the stride of the value that
/// is not uniform. A uniform value is usually a border, which lanes seldom reach.
Shape guess_of_either(Shape left, Shape right) {
  const auto a = left.likely_stride(), b = right.likely_stride();
  if (!a || !b || *a == *b) return Shape::make_guess(a && b ? a : std::nullopt);
  if (left.is_uniform()) return Shape::make_guess(b);
  return Shape::make_guess(right.is_uniform() ? a : std::nullopt);
}

/// The guess for a floating-point sum or product, which is linear in one operand if the other operand is uniform.
Shape guess_of_linear(Shape left, Shape right) {
  if (left.is_uniform()) return Shape::make_guess(right.likely_stride());
  return Shape::make_guess(right.is_uniform() ? left.likely_stride() : std::nullopt);
}

} // namespace

bool Shapes::all_uniform(const Instruction& instruction) const {
  return all_of(instruction.operands(), [&](const Use& operand) {
    const Shape shape = of(operand);
    return shape.is_uniform() || !shape.is_computed();
  });
}

Shape Shapes::compute(const Instruction& instruction) const {
  if (const auto* phi = dyn_cast<PHINode>(&instruction)) return compute_phi(*phi);
  if (const auto* call = dyn_cast<CallBase>(&instruction)) return compute_call(*call);
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
    return Shape::make_affine(static_cast<std::int64_t>(copy_stride(*variable)), 64);
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && of(load->getPointerOperand()).is_uniform() ? Shape::make_uniform()
                                                                          : Shape::make_varying();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return Shape::make_varying();
  if (all_uniform(instruction)) return Shape::make_uniform();
  if (instruction.getType()->isVectorTy()) return Shape::make_varying();
  if (const auto sum = linear_sum_of(instruction)) return compute_sum(instruction, *sum);
  return compute_operation(instruction);
}

/// The shape of an operation with a scalar result, some operand of which is not uniform.
Shape Shapes::compute_operation(const Instruction& operation) const {
  const auto operand = [&](unsigned i) { return of(operation.getOperand(i)); };
  switch (operation.getOpcode()) {
  case Instruction::Freeze:
    return operand(0);
  case Instruction::ICmp: {
    const Shape left = operand(0), right = operand(1);
    if (cast<ICmpInst>(operation).isEquality() && left.is_affine() && !left.is_checked() && left == right)
      return Shape::make_uniform();
    // The lanes of a vector seldom lie on both sides of a border.
    return left.likely_stride() && right.likely_stride() ? Shape::make_guess(0) : Shape::make_varying();
  }
  case Instruction::Select: {
    const Shape left = operand(1), right = operand(2);
    const bool one_of_both = left.is_affine() && !left.is_checked() && left == right;
    return one_of_both && operand(0).is_uniform() ? left : guess_of_either(left, right);
  }
  // A floating-point value that is approximately linear in an integer has the likely stride 1, whatever it is scaled
  // by: such values are mostly coordinates of an image.
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    const auto stride = operand(0).likely_stride();
    return stride ? Shape::make_guess(*stride != 0) : Shape::make_varying();
  }
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return guess_of_linear(operand(0), operand(1));
  case Instruction::FDiv:
    return Shape::make_guess(operand(1).is_uniform() ? operand(0).likely_stride() : std::nullopt);
  default:
    return operation.isBinaryOp() && operation.getType()->isIntegerTy()
               ? compute_bits(cast<BinaryOperator>(operation))
               : Shape::make_varying();
  }
}

bool Shapes::stays_in_loops(const Value* value, const BasicBlock* from, const BasicBlock* to) const {
  const auto* definition = dyn_cast<Instruction>(value);
  for (const Loop* loop = loops_.getLoopFor(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (diverges(loop) && definition && loop->contains(definition)) return false;
  return true;
}

/// The common stride of all incoming values. The stride is a guess if lanes may come from different predecessors or
/// leave a loop after different iterations, because they then have different incoming values, and if the stride of an
/// incoming value is checked. A recurrence has no likely stride if its start is uniform or affine and its next value
/// has a guessed stride: the lanes' choices add up from iteration to iteration, for instance in a binary search.
Shape Shapes::compute_phi(const PHINode& phi) const {
  const bool together = joins_uniformly(graph_.index(phi.getParent()));
  const Value* first = nullptr;
  Shape result;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Value* value = phi.getIncomingValue(i);
    Shape shape = of(value);
    if (value == &phi || isa<UndefValue>(value) || !shape.is_computed()) continue;
    if (shape.is_checked() || !stays_in_loops(value, phi.getIncomingBlock(i), phi.getParent()) ||
        (first && value != first && !together))
      shape = Shape::make_guess(shape.likely_stride());
    if (!shape.likely_stride() || (first && shape.likely_stride() != result.likely_stride()))
      return Shape::make_varying();
    if (!first || shape.is_varying()) result = shape;
    first = value;
  }
  if (!first) return Shape::make_uniform();
  const Loop* loop = loops_.getLoopFor(phi.getParent());
  const bool is_recurrence = result.is_varying() && loop && loop->getHeader() == phi.getParent();
  if (is_recurrence && !of(phi.getIncomingValueForBlock(loop->getLoopPreheader())).is_varying())
    return Shape::make_varying();
  return result;
}

Shape Shapes::compute_sum(const Instruction& instruction, const LinearSum& sum) const {
  std::int64_t stride = 0;
  Confidence confidence = Confidence::known;
  for (const LinearPart& part : sum.parts) {
    const Shape shape = of(part.value);
    const auto of_part = shape.likely_stride();
    if (!of_part) return Shape::make_varying();
    stride = wrapping_sum(stride, wrapping_product(*of_part, part.factor));
    confidence = std::max(confidence, shape.confidence());
    if (shape.is_affine() && part.extension != Extension::none)
      confidence = std::max(confidence, isa<CastInst>(instruction) ? confidence_of_extension(part, shape)
                                                                   : Confidence::guess);
  }
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(instruction.getType()).getFixedValue());
  return Shape::make_affine(stride, bits, confidence);
}

/// The confidence that an affine value does not wrap between two lanes, so that its extension has the same stride.
Confidence Shapes::confidence_of_extension(const LinearPart& part, Shape shape) const {
  const unsigned bits = part.value->getType()->getIntegerBitWidth();
  const auto step = AbsoluteValue(shape.stride());
  if (!shape.is_checked()) {
    const auto lanes = lane_bits(shape, ranges_.width());
    if (lanes && *lanes < bits && ranges_.zero_bits_of_first_lane(*part.value) >= *lanes)
      return Confidence::known;
    const std::uint64_t end = std::uint64_t{1} << (part.extension == Extension::sign ? bits - 1 : bits);
    if (step < end && ranges_.upper_bound(*part.value) < end - step) return Confidence::known;
  }
  return bits == 32 && step < largest_checked_stride ? Confidence::checked : Confidence::guess;
}

/// The shape of a mask, shift, quotient or remainder. If the operation keeps all bits in which lanes differ, the result
/// has the operand's stride; if it drops all of these bits, the result is uniform. A constant operand may prove either.
/// Without a proof, the guess is that the lanes of a vector mostly agree in the upper bits.
Shape Shapes::compute_bits(const BinaryOperator& operation) const {
  const Value *first = operation.getOperand(0),
              *second = operation.isIntDivRem() ? programs_divisor(operation) : operation.getOperand(1);
  if (operation.isCommutative() && of(first).is_uniform()) std::swap(first, second);
  const Shape left = of(first), right = of(second);
  const auto stride = left.likely_stride();
  if (stride == 0 && right.likely_stride() == 0) return Shape::make_guess(0);
  if (!stride || !right.is_uniform()) return Shape::make_varying();
  const auto* constant = dyn_cast<ConstantInt>(second);
  const unsigned bits = operation.getType()->getIntegerBitWidth(), width = ranges_.width();
  auto lanes = lane_bits(left, width);
  if (lanes && (!constant || *lanes >= bits || ranges_.zero_bits_of_first_lane(*first) < *lanes))
    lanes = std::nullopt;
  const std::uint64_t number = constant ? constant->getLimitedValue() : ~std::uint64_t{0};
  std::uint64_t interval = number;
  std::int64_t result = *stride;
  switch (operation.getOpcode()) {
  case Instruction::And:
    if (lanes && unsigned(constant->getValue().countr_one()) >= *lanes) return left;
    if (lanes && unsigned(constant->getValue().countr_zero()) >= *lanes) return Shape::make_uniform();
    break;
  case Instruction::URem:
  case Instruction::SRem:
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    if (lanes && number < bits && number >= *lanes) return Shape::make_uniform();
    interval = number < 63 ? std::uint64_t{1} << number : 0;
    [[fallthrough]];
  case Instruction::UDiv:
  case Instruction::SDiv:
    result = 0;
    break;
  default:
    return Shape::make_varying();
  }
  return mostly_within(*stride, interval, width) ? Shape::make_guess(result) : Shape::make_varying();
}

Shape Shapes::compute_clamp(const MinMaxIntrinsic& clamp) const {
  Shape index = of(clamp.getLHS()), border = of(clamp.getRHS());
  if (index.is_uniform()) std::swap(index, border);
  const bool can_be_affine = tests_clamps_ && index.is_affine() && border.is_uniform() &&
                             AbsoluteValue(index.stride()) < largest_checked_stride &&
                             (clamp.getType()->isIntegerTy(32) || clamp.getType()->isIntegerTy(64));
  return can_be_affine ? Shape::make_affine(index.stride(), 64, Confidence::checked)
                       : guess_of_either(index, border);
}

Shape Shapes::compute_call(const CallBase& call) const {
  if (auto kind = called_intrinsic(call)) {
    if (*kind == HostclIntrinsic::local_id)
      return dimension_of(call) == 0 ? Shape::make_affine(1, 64) : Shape::make_uniform();
    if (*kind == HostclIntrinsic::sub_group_lane) return Shape::make_affine(1, 32);
    if (*kind == HostclIntrinsic::sub_group) {
      const SubGroupOperation operation = called_operation(call);
      return operation.kind == SubGroupOperation::shuffle || operation.is_scan() ? Shape::make_varying()
                                                                                 : Shape::make_uniform();
    }
    return Shape::make_uniform();
  }
  if (call.getType()->isVoidTy()) return Shape::make_uniform();
  bool pure = call.doesNotAccessMemory() && call.doesNotThrow() && call.willReturn() && !call.isConvergent();
  if (pure && all_uniform(call)) return Shape::make_uniform();
  if (call.getType()->isVectorTy()) return Shape::make_varying();
  if (const auto* clamp = dyn_cast<MinMaxIntrinsic>(&call)) return compute_clamp(*clamp);
  const auto argument = [&](unsigned i) { return of(call.getArgOperand(i)); };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::roundeven:
    return Shape::make_guess(argument(0).likely_stride());
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    return argument(2).is_uniform() ? guess_of_linear(argument(0), argument(1)) : Shape::make_varying();
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
    return guess_of_either(argument(0), argument(1));
  default:
    return Shape::make_varying();
  }
}

} // namespace hostcl::compiler
