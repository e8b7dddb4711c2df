#include "compiler/passes/2_vector/shapes/shapes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/private_arrays.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

/// Largest stride of checked shapes. The distance between the first and the last lane then fits into 32 bits.
constexpr std::int64_t largest_checked_stride = 1 << 16;

/// The shape of an extended affine value, of which it is not known whether it wraps between two lanes.
Shape checked_extension(Shape operand, unsigned bits) {
  return bits == 32 && std::abs(operand.stride) < largest_checked_stride
             ? Shape{Shape::affine, operand.stride, true}
             : Shape::make_varying();
}

} // namespace

Shapes::Shapes(Function& function, const ForwardGraph& graph, const LoopInfo& loops,
               const Ranges& ranges, const Switches& switches)
    : graph_(graph),
      loops_(loops),
      ranges_(ranges),
      layout_(function.getDataLayout()),
      tests_clamps_(switches.is_on(Heuristic::clamped_indices)),
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
      Shape& was = shapes_[&instruction];
      if (now == was || was.is_varying()) continue;
      was = was.kind == Shape::unknown ? now : Shape::make_varying();
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
  const Shape shape = of(decision);
  return divergent_[block] = shape.is_affine() || shape.is_varying();
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

// ---- Values

namespace {

/// The number of low bits in which lanes can differ: if the first lane's value is a multiple of 2^result, adding lane *
/// stride stays below the next multiple. Nothing if the shape is not affine with a positive stride.
std::optional<unsigned> lane_bits(Shape shape, unsigned width) {
  if (!shape.is_affine() || shape.stride <= 0 || shape.stride > (1 << 24)) return std::nullopt;
  return Log2_64_Ceil(static_cast<std::uint64_t>(shape.stride) * width);
}

} // namespace

Shape Shapes::all_uniform_or_varying(const Instruction& instruction) const {
  for (const Value* operand : instruction.operands())
    if (Shape shape = of(operand); !shape.is_uniform() && shape.kind != Shape::unknown)
      return Shape::make_varying();
  return Shape::make_uniform();
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
  if (isa<FreezeInst>(instruction)) return of(instruction.getOperand(0));
  if (instruction.getType()->isVectorTy()) return all_uniform_or_varying(instruction);
  if (const auto sum = linear_sum_of(instruction)) return compute_sum(instruction, *sum);
  if (const auto* operation = dyn_cast<BinaryOperator>(&instruction)) return compute_bits(*operation);
  if (const auto* compare = dyn_cast<ICmpInst>(&instruction); compare && compare->isEquality()) {
    Shape left = of(compare->getOperand(0));
    if (left.is_affine() && !left.checked && left == of(compare->getOperand(1))) return Shape::make_uniform();
  }
  if (const auto* select = dyn_cast<SelectInst>(&instruction)) {
    Shape left = of(select->getTrueValue()), right = of(select->getFalseValue());
    if (left.is_affine() && !left.checked && left == right && of(select->getCondition()).is_uniform())
      return left;
  }
  return all_uniform_or_varying(instruction);
}

bool Shapes::stays_in_loops(const Value* value, const BasicBlock* from, const BasicBlock* to) const {
  const auto* definition = dyn_cast<Instruction>(value);
  for (const Loop* loop = loops_.getLoopFor(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (diverges(loop) && definition && loop->contains(definition)) return false;
  return true;
}

Shape Shapes::compute_phi(const PHINode& phi) const {
  const bool together = joins_uniformly(graph_.index(phi.getParent()));
  const Value* first = nullptr;
  Shape result;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Value* value = phi.getIncomingValue(i);
    Shape shape = of(value);
    if (value == &phi || isa<UndefValue>(value) || shape.kind == Shape::unknown) continue;
    bool same = !first || value == first;
    if (shape.checked || !stays_in_loops(value, phi.getIncomingBlock(i), phi.getParent()))
      return Shape::make_varying();
    if (!same && (!together || shape != result)) return Shape::make_varying();
    first = value;
    result = shape;
  }
  return result.kind == Shape::unknown ? Shape::make_uniform() : result;
}

Shape Shapes::compute_sum(const Instruction& instruction, const LinearSum& sum) const {
  std::int64_t stride = 0;
  bool checked = false;
  for (const LinearPart& part : sum.parts) {
    Shape shape = of(part.value);
    if (shape.is_affine() && part.extension != Extension::none)
      shape = isa<CastInst>(instruction) ? compute_extension(part, shape) : Shape::make_varying();
    if (shape.is_varying()) return shape;
    if (!shape.is_affine()) continue;
    checked |= shape.checked;
    stride = wrapping_sum(stride, wrapping_product(shape.stride, part.factor));
  }
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(instruction.getType()).getFixedValue());
  return Shape::make_affine(stride, bits, checked);
}

Shape Shapes::compute_extension(const LinearPart& part, Shape shape) const {
  const unsigned bits = part.value->getType()->getIntegerBitWidth();
  if (shape.checked) return checked_extension(shape, bits);
  auto lanes = lane_bits(shape, ranges_.width());
  if (lanes && *lanes < bits && ranges_.zero_bits_of_first_lane(*part.value) >= *lanes) return shape;
  const std::uint64_t step = static_cast<std::uint64_t>(std::abs(shape.stride));
  const std::uint64_t end = std::uint64_t{1} << (part.extension == Extension::sign ? bits - 1 : bits);
  if (step < end && ranges_.upper_bound(*part.value) < end - step) return shape;
  return checked_extension(shape, bits);
}

/// The shape of a mask or shift. If it keeps all bits in which lanes differ, the result is affine; if it drops all of
/// them, the result is uniform.
Shape Shapes::compute_bits(const BinaryOperator& operation) const {
  const Shape shape = of(operation.getOperand(0));
  const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const auto lanes = lane_bits(shape, ranges_.width());
  if (!lanes || !constant || shape.checked ||
      ranges_.zero_bits_of_first_lane(*operation.getOperand(0)) < *lanes)
    return all_uniform_or_varying(operation);
  const unsigned bits = operation.getType()->getIntegerBitWidth();
  switch (operation.getOpcode()) {
  case Instruction::And:
    if (*lanes < bits && unsigned(constant->getValue().countr_one()) >= *lanes) return shape;
    if (*lanes < bits && unsigned(constant->getValue().countr_zero()) >= *lanes) return Shape::make_uniform();
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    if (constant->getLimitedValue(bits) < bits && constant->getZExtValue() >= *lanes)
      return Shape::make_uniform();
    break;
  default:
    break;
  }
  return Shape::make_varying();
}

Shape Shapes::compute_clamp(const MinMaxIntrinsic& clamp) const {
  Shape index = of(clamp.getLHS()), border = of(clamp.getRHS());
  if (index.is_uniform()) std::swap(index, border);
  const bool can_be_affine = tests_clamps_ && index.is_affine() && border.is_uniform() &&
                             std::abs(index.stride) < largest_checked_stride &&
                             (clamp.getType()->isIntegerTy(32) || clamp.getType()->isIntegerTy(64));
  return can_be_affine ? Shape{Shape::affine, index.stride, true} : all_uniform_or_varying(clamp);
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
  if (const auto* clamp = dyn_cast<MinMaxIntrinsic>(&call)) return compute_clamp(*clamp);
  if (call.getType()->isVoidTy()) return Shape::make_uniform();
  bool pure = call.doesNotAccessMemory() && call.doesNotThrow() && call.willReturn() && !call.isConvergent();
  return pure ? all_uniform_or_varying(call) : Shape::make_varying();
}

} // namespace hostcl::compiler
