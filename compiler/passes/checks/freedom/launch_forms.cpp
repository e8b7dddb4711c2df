#include "compiler/passes/checks/freedom/launch_forms.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

void add_term(LaunchForm& form, const Value& variable, const LinearForm& stride) {
  auto* known = find_if(form.terms, [&](const LaunchTerm& term) { return term.variable == &variable; });
  if (known == form.terms.end())
    form.terms.push_back({&variable, stride});
  else
    known->stride = sum(known->stride, stride);
  erase_if(form.terms, [](const LaunchTerm& term) { return term.stride.terms.empty(); });
}

} // namespace

bool is_same(const LinearForm& a, const LinearForm& b) {
  return sum(a, b, -1).terms.empty();
}

std::optional<std::uint64_t> LaunchForms::bound_of(const Value& leaf) {
  constexpr std::uint64_t most = 1 << 16; // larger bounds are useless for proofs about addresses
  const std::uint64_t bound =
      Ranges({.width = 1, .partial_sub_groups = false, .ids_fit_31_bits = false}).upper_bound(leaf);
  if (bound >= most) return std::nullopt;
  return bound + 1;
}

const Value* LaunchForms::id_in(const Use& number) {
  constexpr unsigned fewest_bits = 32; // any local id fits 32 bits; a narrower integer may be a truncated id
  if (!number->getType()->isIntegerTy() || number->getType()->getIntegerBitWidth() < fewest_bits)
    return nullptr;
  const Value* leaf = forms_.of(number).as_leaf();
  return leaf && is_call_of(*leaf, Intrinsic::local_id) ? leaf : nullptr;
}

std::optional<FieldOfArgument> field_of_argument(const Value& leaf) {
  const auto* load = dyn_cast<LoadInst>(&leaf);
  if (!load || !load->getType()->isIntegerTy() || !load->hasMetadata(LLVMContext::MD_invariant_load))
    return std::nullopt;
  const DataLayout& layout = load->getDataLayout();
  const Value* pointer = load->getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const auto* argument = dyn_cast<Argument>(
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (!argument || offset.isNegative() ||
      offset.getZExtValue() + layout.getTypeStoreSize(load->getType()) > argument->getDereferenceableBytes())
    return std::nullopt;
  return FieldOfArgument{argument, offset.getZExtValue()};
}

/// Whether a leaf is constant for the launch: integer arguments, fields of arguments, sizes of the launch, and
/// extensions of sums of products of these. `local_size` counts as constant, although the last group of a dimension may
/// be smaller: LaunchNumbers adds the condition that all groups have the same size.
bool LaunchForms::is_same_for_launch(const Value& leaf) {
  if (isa<Argument>(leaf)) return leaf.getType()->isIntegerTy();
  if (isa<SExtInst, ZExtInst>(leaf)) {
    const Use& narrow = cast<Instruction>(leaf).getOperandUse(0);
    if (narrow->getType()->isIntegerTy(1)) return false;
    return all_of(forms_.of(narrow).terms, [&](const Term& term) {
      return all_of(term.leaves, [&](const Value* part) { return is_same_for_launch(*part); });
    });
  }
  return field_of_argument(leaf) || (is_dimension_query(leaf) && !is_item_id(leaf));
}

const Loop* LaunchForms::loop_of(const PHINode& phi) const {
  const Loop* loop = loops_.getLoopFor(phi.getParent());
  return loop && loop->getHeader() == phi.getParent() ? loop : nullptr;
}

/// The step of an induction variable, if it is constant for the launch.
std::optional<LinearForm> LaunchForms::step_of(const PHINode& phi) {
  const Loop* loop = loop_of(phi);
  if (!loop || !loop->getLoopLatch() || !loop->getLoopPredecessor()) return std::nullopt;
  const auto incoming = [&](const BasicBlock* from) {
    return forms_.of(phi.getOperandUse(static_cast<unsigned>(phi.getBasicBlockIndex(from))));
  };
  const LinearForm now = forms_.of(phi, *phi.getParent()), start = incoming(loop->getLoopPredecessor());
  // LinearForms writes an induction variable as its start plus the phi as a leaf, and other phis in another way.
  if (!is_same(now, sum(start, LinearForm::leaf(phi)))) return std::nullopt;
  LinearForm step = sum(incoming(loop->getLoopLatch()), now, -1);
  for (const Term& term : step.terms)
    if (!all_of(term.leaves, [&](const Value* part) { return is_same_for_launch(*part); }))
      return std::nullopt;
  return step;
}

/// Adds factor * leaf to the form, for a leaf that differs between work-items or between iterations.
/// @param differs true if the leaf differs between work-items, false if it differs only between iterations
/// @param factor constant for the launch
/// @returns false if the leaf is none of the variables that LaunchTerm allows
bool LaunchForms::add_divergent(LaunchForm& form, const Value& leaf, bool differs, const LinearForm& factor,
                                SmallVectorImpl<Narrow>& conditions) {
  if (is_item_id(leaf)) {
    add_term(form, leaf, factor);
    return true;
  }
  const bool is_extended = isa<SExtInst, ZExtInst>(leaf);
  const Value& ticket = is_extended ? *cast<Instruction>(leaf).getOperand(0) : leaf;
  // sext and zext map different tickets to different values, so the narrow ticket is the variable.
  if (tickets_.contains(&ticket)) {
    add_term(form, ticket, factor);
    return true;
  }
  if (is_extended) {
    const Use& narrow = cast<Instruction>(leaf).getOperandUse(0);
    std::optional<LaunchForm> inner;
    if (!narrow->getType()->isIntegerTy(1)) inner = of(narrow, conditions);
    if (inner) {
      conditions.push_back({*inner, narrow->getType()->getIntegerBitWidth(), isa<SExtInst>(leaf)});
      for (const LaunchTerm& term : inner->terms)
        add_term(form, *term.variable, product(term.stride, factor));
      form.rest = sum(form.rest, product(inner->rest, factor));
      return true;
    }
  }
  if (const auto* phi = dyn_cast<PHINode>(&leaf); phi && !differs) {
    const auto step = step_of(*phi);
    if (step) add_term(form, leaf, product(*step, factor));
    return step.has_value();
  }
  if (isa<PHINode>(leaf) || !bound_of(leaf)) return false;
  add_term(form, leaf, factor);
  return true;
}

std::optional<LaunchForm> LaunchForms::expand(const LinearForm& form, SmallVectorImpl<Narrow>& conditions) {
  constexpr unsigned most_depth = 8;
  if (depth_ == most_depth) return std::nullopt;
  ++depth_;
  LaunchForm result;
  bool is_known = true;
  for (const Term& term : form.terms) {
    LinearForm factor = LinearForm::constant(term.factor);
    const Value* moving = nullptr;
    for (const Value* leaf : term.leaves) {
      if (is_same_for_launch(*leaf))
        factor.terms[0].leaves.push_back(leaf);
      else if (std::exchange(moving, leaf))
        is_known = false;
    }
    if (!is_known) break;
    const bool differs = term.dependence & (on_any_id | on_item);
    if (!moving)
      result.rest = sum(result.rest, factor);
    else if (!add_divergent(result, *moving, differs, factor, conditions))
      is_known = false;
  }
  --depth_;
  if (!is_known) return std::nullopt;
  return result;
}

std::optional<LaunchForm> LaunchForms::distance(const Value& pointer, const BasicBlock& at, const Value& root,
                                                SmallVectorImpl<Narrow>& conditions) {
  LinearForm form = forms_.of(pointer, at);
  std::int64_t offset = 0;
  unsigned roots = 0;
  erase_if(form.terms, [&](const Term& term) {
    if (term.leaves.size() != 1 || term.factor != 1 || !term.leaves[0]->getType()->isPointerTy())
      return false;
    const Value* base = term.leaves[0];
    APInt bytes(64, 0);
    if (isa<Constant>(base))
      base = base->stripAndAccumulateConstantOffsets(layout_, bytes, /*AllowNonInbounds=*/true);
    if (base != &root) return false;
    offset = bytes.getSExtValue();
    ++roots;
    return true;
  });
  if (roots != 1) return std::nullopt;
  return expand(sum(form, LinearForm::constant(offset)), conditions);
}

} // namespace hostcl::compiler
