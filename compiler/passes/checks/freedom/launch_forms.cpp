#include "compiler/passes/checks/freedom/launch_forms.hpp"

#include "compiler/passes/checks/calls.hpp"
#include "compiler/values/ranges.hpp"

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

/// An exclusive upper bound of a leaf; nothing if no bound is known at compile time, or if the bound is above 65,536.
std::optional<std::uint64_t> bound_of(const Value& leaf) {
  constexpr std::uint64_t most = 1 << 16; // larger bounds are useless for proofs about addresses
  const std::uint64_t bound =
      Ranges({.width = 1, .partial_sub_groups = false, .ids_fit_31_bits = false}).upper_bound(leaf);
  if (bound >= most) return std::nullopt;
  return bound + 1;
}

/// The argument and the offset, if a leaf is a field of a structure to which a pointer argument points, for instance of
/// an image's descriptor. The field does not change during the launch (its load has !invariant.load).
std::optional<std::pair<const Argument*, std::uint64_t>> field_of_argument(const Value& leaf) {
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
  return std::pair(argument, offset.getZExtValue());
}

} // namespace

bool is_same(const LinearForm& a, const LinearForm& b) {
  return sum(a, b, -1).terms.empty();
}

const Value* LaunchForms::id_in(const Use& number) {
  constexpr unsigned fewest_bits = 32; // any local id fits 32 bits; a narrower integer may be a truncated id
  if (!number->getType()->isIntegerTy() || number->getType()->getIntegerBitWidth() < fewest_bits)
    return nullptr;
  const Value* leaf = forms_.of(number).as_leaf();
  return leaf && is_call_of(*leaf, Intrinsic::local_id) ? leaf : nullptr;
}

/// Whether a leaf is constant for the launch: integer arguments, fields of arguments, sizes of the launch, and
/// extensions of sums of products of these. `local_size` counts as constant, although the last group of a dimension may
/// be smaller: value_of_leaf() requires that all groups have the same size.
bool LaunchForms::is_same_for_launch(const Value& leaf) {
  if (isa<Argument>(leaf)) return leaf.getType()->isIntegerTy();
  if (isa<SExtInst, ZExtInst>(leaf)) {
    const Use& narrow = cast<Instruction>(leaf).getOperandUse(0);
    return !narrow->getType()->isIntegerTy(1) && is_same_for_launch(forms_.of(narrow));
  }
  return field_of_argument(leaf) || (is_dimension_query(leaf) && !is_item_id(leaf));
}

bool LaunchForms::is_same_for_launch(const LinearForm& form) {
  return all_of(form.terms, [&](const Term& term) {
    return all_of(term.leaves, [&](const Value* leaf) { return is_same_for_launch(*leaf); });
  });
}

const Loop* LaunchForms::loop_of(const PHINode& phi) const {
  return loops_.isLoopHeader(phi.getParent()) ? loops_.getLoopFor(phi.getParent()) : nullptr;
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
  if (!is_same_for_launch(step)) return std::nullopt;
  return step;
}

/// Adds factor * extension(sum) to the form, and requires that the sum fits its type. @returns false if that cannot be
/// expressed
bool LaunchForms::add_extended(LaunchForm& form, const Instruction& extension, const LaunchForm& sum_of,
                               const LinearForm& factor) {
  const unsigned bits = extension.getOperand(0)->getType()->getIntegerBitWidth();
  if (!require_fits(sum_of, bits, isa<SExtInst>(extension))) return false;
  for (const LaunchTerm& term : sum_of.terms)
    add_term(form, *term.variable, product(term.stride, factor));
  form.rest = sum(form.rest, product(sum_of.rest, factor));
  return true;
}

/// Adds factor * leaf to the form, for a leaf that differs between work-items or between iterations.
/// @param differs true if the leaf differs between work-items, false if it differs only between iterations
/// @param factor constant for the launch
/// @returns false if the leaf is none of the variables that LaunchTerm allows
bool LaunchForms::add_divergent(LaunchForm& form, const Value& leaf, bool differs, const LinearForm& factor) {
  const auto* extension = isa<SExtInst, ZExtInst>(leaf) ? cast<Instruction>(&leaf) : nullptr;
  // sext and zext map different tickets to different values, so the narrow ticket is the variable.
  const Value& ticket = extension ? *extension->getOperand(0) : leaf;
  const bool is_ticket = tickets_.contains(&ticket);
  if (extension && !is_ticket && !ticket.getType()->isIntegerTy(1))
    if (const auto sum_of = expand(forms_.of(extension->getOperandUse(0))))
      return add_extended(form, *extension, *sum_of, factor);
  LinearForm stride = factor;
  if (const auto* phi = dyn_cast<PHINode>(&leaf)) {
    const auto step = differs ? std::nullopt : step_of(*phi);
    if (!step) return false;
    stride = product(*step, factor);
  } else if (!is_item_id(leaf) && !is_ticket && (isa<AtomicRMWInst>(leaf) || !bound_of(leaf))) {
    return false; // also for other atomic operations, whose results may be equal
  }
  add_term(form, is_ticket ? ticket : leaf, stride);
  return true;
}

std::optional<LaunchForm> LaunchForms::expand(const LinearForm& form) {
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
    else if (!add_divergent(result, *moving, differs, factor))
      is_known = false;
  }
  --depth_;
  if (!is_known) return std::nullopt;
  return result;
}

std::optional<LaunchForm> LaunchForms::distance(const Value& pointer, const BasicBlock& at,
                                                const Value& root) {
  LinearForm form = forms_.of(pointer, at);
  std::int64_t offset = 0;
  unsigned roots = 0;
  erase_if(form.terms, [&](const Term& term) {
    if (term.leaves.size() != 1 || term.factor != 1 || !term.leaves[0]->getType()->isPointerTy())
      return false;
    const Value* base = term.leaves[0];
    APInt bytes(64, 0);
    if (isa<Constant>(base))
      base = base->stripAndAccumulateConstantOffsets(at.getDataLayout(), bytes, /*AllowNonInbounds=*/true);
    if (base != &root) return false;
    offset = bytes.getSExtValue();
    ++roots;
    return true;
  });
  if (roots != 1) return std::nullopt;
  return expand(sum(form, LinearForm::constant(offset)));
}

Value* LaunchForms::value_of(const LinearForm& form) {
  Value* total = build_.getInt64(0);
  for (const Term& term : form.terms) {
    Value* part = ConstantInt::getSigned(build_.getInt64Ty(), term.factor);
    for (const Value* leaf : term.leaves)
      part = multiply(part, value_of_leaf(*leaf));
    total = add(total, part);
  }
  return total;
}

Value* LaunchForms::value_of_leaf(const Value& leaf) {
  if (Value* known = leaves_.lookup(&leaf)) return known;
  Value* value;
  if (isa<Argument>(leaf)) {
    value = build_.CreateSExtOrTrunc(const_cast<Value*>(&leaf), build_.getInt64Ty());
  } else if (const auto field = field_of_argument(leaf)) {
    Value* address = build_.CreateConstInBoundsGEP1_64(build_.getInt8Ty(),
                                                       const_cast<Argument*>(field->first), field->second);
    value = build_.CreateSExtOrTrunc(build_.CreateLoad(leaf.getType(), address), build_.getInt64Ty());
  } else if (isa<SExtInst, ZExtInst>(leaf)) {
    const Use& narrow = cast<Instruction>(leaf).getOperandUse(0);
    const auto form = expand(forms_.of(narrow));
    if (!form) require(build_.getFalse()); // too deep
    value = form ? value_of(form->rest) : build_.getInt64(0);
    CheckedArithmetic::require_fits(value, value, narrow->getType()->getIntegerBitWidth(),
                                    isa<SExtInst>(leaf));
  } else {
    const unsigned dimension = dimension_of(cast<CallBase>(leaf));
    const Intrinsic query = called_intrinsic(leaf).value_or(Intrinsic::local_size); // a leaf is a query here
    const bool is_local_size = query == Intrinsic::local_size;
    value = call_intrinsic(build_, is_local_size ? Intrinsic::enqueued_local_size : query, dimension);
    if (is_local_size) // The last group of a dimension may be smaller. The condition excludes such launches.
      require(build_.CreateIsNull(
          build_.CreateURem(call_intrinsic(build_, Intrinsic::global_size, dimension), value)));
  }
  return leaves_[&leaf] = value;
}

Value* LaunchForms::last_of(const Value& variable) {
  if (Value* known = lasts_.lookup(&variable)) return known;
  Value* last = nullptr;
  const auto* phi = dyn_cast<PHINode>(&variable);
  if (is_item_id(variable)) {
    const bool is_local = is_call_of(variable, Intrinsic::local_id);
    last =
        last_id(is_local ? Intrinsic::local_id : Intrinsic::group_id, dimension_of(cast<CallBase>(variable)));
  } else if (const Loop* loop = phi ? loop_of(*phi) : nullptr) {
    const auto iterations = intervals_.iterations(*loop);
    if (!iterations) return nullptr;
    require(iterations->valid);
    last = iterations->high;
  } else if (const auto bound = bound_of(variable)) {
    last = build_.getInt64(*bound - 1);
  }
  return lasts_[&variable] = last;
}

/// Requires that a sum fits an integer for all work-items of the launch. @returns false if that cannot be expressed
bool LaunchForms::require_fits(const LaunchForm& sum, unsigned bits, bool is_signed) {
  Value *low = value_of(sum.rest), *high = low, *none = build_.getInt64(0);
  for (const LaunchTerm& term : sum.terms) {
    Value* last = last_of(*term.variable);
    if (!last) return false;
    if (isa<PHINode>(term.variable))
      last = add(last, build_.getInt64(1)); // the variable is incremented once more before the loop ends
    Value* way = multiply(value_of(term.stride), last);
    low = add(low, least(way, none));
    high = add(high, greatest(way, none));
  }
  CheckedArithmetic::require_fits(low, high, bits, is_signed);
  return true;
}

} // namespace hostcl::compiler
