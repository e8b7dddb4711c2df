#include "compiler/values/linear_forms.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::size_t most_terms = 16, most_leaves = 8;
constexpr std::size_t most_pairs = 4 * most_terms; ///< of terms, in a product before equal ones are united

void add_term(LinearForm& form, const Term& term) {
  auto* known = find_if(form.terms, [&](const Term& other) { return other.leaves == term.leaves; });
  if (known == form.terms.end()) {
    form.terms.push_back(term);
  } else {
    known->factor = wrapping_sum(known->factor, term.factor);
    known->dependence |= term.dependence;
  }
  erase_if(form.terms, [](const Term& each) { return each.factor == 0; });
}

const Use& incoming(const PHINode& phi, const BasicBlock* from) {
  return phi.getOperandUse(static_cast<unsigned>(phi.getBasicBlockIndex(from)));
}

} // namespace

const Value* LinearForm::as_leaf() const {
  return terms.size() == 1 && terms[0].factor == 1 && terms[0].leaves.size() == 1 ? terms[0].leaves[0]
                                                                                  : nullptr;
}

LinearForm sum(LinearForm a, const LinearForm& b, std::int64_t factor) {
  for (Term term : b.terms) {
    term.factor = wrapping_product(term.factor, factor);
    add_term(a, term);
  }
  return a;
}

LinearForm product(const LinearForm& a, const LinearForm& b) {
  LinearForm result;
  for (const Term& left : a.terms)
    for (const Term& right : b.terms) {
      Term term{wrapping_product(left.factor, right.factor), left.leaves, left.dependence | right.dependence};
      term.leaves.append(right.leaves);
      sort(term.leaves);
      add_term(result, term);
    }
  return result;
}

unsigned LinearForm::dependence() const {
  unsigned all = 0;
  for (const Term& term : terms)
    all |= term.dependence;
  return all;
}

std::optional<std::int64_t> LinearForm::stride(unsigned dimension) const {
  std::int64_t result = 0;
  for (const Term& term : terms) {
    if (!(term.dependence & ((on_local_id << dimension) | on_item))) continue;
    if (term.leaves.size() != 1 || !is_call_of(*term.leaves[0], Intrinsic::local_id)) return std::nullopt;
    result = term.factor;
  }
  return result;
}

LinearForm LinearForms::of(const Value& value, const BasicBlock& at) {
  const auto may_have_left_loop = [&](const Value* leaf) {
    const auto* instruction = dyn_cast<Instruction>(leaf);
    if (!loops_ || !instruction || is_dimension_query(*leaf)) return false;
    const Loop* loop = loops_->getLoopFor(instruction->getParent());
    return loop && !loop->contains(&at);
  };
  LinearForm form = defined(value);
  for (Term& term : form.terms)
    if (any_of(term.leaves, may_have_left_loop)) term.dependence |= on_item | on_any_id;
  return form;
}

LinearForm LinearForms::of(const Use& operand) {
  return of(*operand.get(), *cast<Instruction>(operand.getUser())->getParent());
}

LinearForm LinearForms::defined(const Value& value) {
  if (const auto* number = dyn_cast<ConstantInt>(&value); number && number->getBitWidth() <= 64)
    return LinearForm::constant(number->getSExtValue());
  if (isa<ConstantPointerNull>(value)) return LinearForm::constant(0);
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return LinearForm::leaf(value, 0);
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  if (depth_ == most_depth_) return LinearForm::leaf(value, on_item | on_any_id);
  if (loops_) find_divergent_steps(loops_->getLoopFor(instruction->getParent()));
  // Until the form is known. Only unreachable code has cycles that get this form.
  known_[&value] = LinearForm::leaf(value, on_item | on_any_id);
  ++depth_;
  LinearForm form = compute(*instruction);
  --depth_;
  if (form.terms.size() > most_terms ||
      any_of(form.terms, [](const Term& term) { return term.leaves.size() > most_leaves; }))
    form = LinearForm::leaf(value, form.dependence());
  return known_[&value] = std::move(form);
}

/// Whether the form of the phi is its start plus a leaf: it is in the header of a loop, and has a uniform step.
bool LinearForms::is_counter(const PHINode& phi) const {
  const Loop* loop = loops_ ? loops_->getLoopFor(phi.getParent()) : nullptr;
  return loop && loop->getHeader() == phi.getParent() && loop->getLoopPredecessor() && loop->getLoopLatch() &&
         is_number(*phi.getType()) && !have_divergent_step_.contains(&phi);
}

/// Finds the divergent steps of the header phis of a loop and of the loops around it. At first, all steps are assumed
/// to be uniform. A step that is divergent in spite of the assumption is divergent without it as well; then all that
/// was computed on the assumption is dropped, until no step contradicts the assumption about the others.
void LinearForms::find_divergent_steps(const Loop* loop) {
  if (!loop) return;
  find_divergent_steps(loop->getParentLoop());
  if (!known_loops_.insert(loop)) return;
  const std::size_t forms = known_.size(), loops = known_loops_.size();
  for (bool has_changed = true; std::exchange(has_changed, false);) {
    while (known_.size() > forms)
      known_.pop_back();
    while (known_loops_.size() > loops)
      known_loops_.pop_back();
    for (const PHINode& phi : loop->getHeader()->phis())
      if (is_counter(phi) && (step_of(phi, *loop).dependence() & (on_any_id | on_item)))
        has_changed |= have_divergent_step_.insert(&phi).second;
  }
}

LinearForm LinearForms::step_of(const PHINode& counter, const Loop& loop) {
  return sum(of(incoming(counter, loop.getLoopLatch())), defined(counter), -1);
}

LinearForm LinearForms::leaf_of_operands(const Instruction& instruction) {
  unsigned dependence = 0;
  if (instruction.mayReadFromMemory()) dependence |= on_memory;
  if (is_source_of_divergence(instruction) || isa<PHINode>(instruction)) dependence |= on_item | on_any_id;
  for (const Use& operand : instruction.operands())
    if (!isa<PHINode>(instruction) && !isa<BasicBlock>(operand)) dependence |= of(operand).dependence();
  return LinearForm::leaf(instruction, dependence);
}

LinearForm LinearForms::compute(const Instruction& instruction) {
  if (const auto kind = called_intrinsic(instruction); kind && is_dimension_query(instruction)) {
    const unsigned dimension = dimension_of(cast<CallBase>(instruction));
    const Value* first = queries_.try_emplace({unsigned(*kind), dimension}, &instruction).first->second;
    return LinearForm::leaf(*first, kind == Intrinsic::local_id   ? on_local_id << dimension
                                    : kind == Intrinsic::group_id ? on_group_id << dimension
                                                                  : 0);
  }
  if (const auto parts = linear_sum_of(instruction)) return of_sum(instruction, *parts);
  if (const auto* phi = dyn_cast<PHINode>(&instruction); phi && is_counter(*phi))
    return sum(of(incoming(*phi, loops_->getLoopFor(phi->getParent())->getLoopPredecessor())),
               LinearForm::leaf(*phi));
  if (instruction.getOpcode() == Instruction::Mul && is_number(*instruction.getType())) {
    const LinearForm left = of(instruction.getOperandUse(0)), right = of(instruction.getOperandUse(1));
    if (left.terms.size() * right.terms.size() <= most_pairs) return product(left, right);
  }
  return leaf_of_operands(instruction);
}

LinearForm LinearForms::of_sum(const Instruction& instruction, const LinearSum& parts) {
  LinearForm form = LinearForm::constant(parts.constant);
  for (const LinearPart& part : parts.parts) {
    LinearForm each = of(*part.value, *instruction.getParent());
    // Signed and unsigned extensions of a leaf are different values.
    const bool is_extension = isa<ZExtInst, SExtInst>(instruction);
    if (part.value->getType()->isIntegerTy(1) || (is_extension && each.as_leaf() == part.value) ||
        (part.extension != Extension::none && wrapping_ == Wrapping::counts))
      return leaf_of_operands(instruction);
    form = sum(std::move(form), each, part.factor);
  }
  return form;
}

std::optional<std::int64_t> LinearForms::step(const Value& value, const Loop& loop) {
  std::int64_t total = 0;
  for (const Term& term : defined(value).terms) {
    if (all_of(term.leaves, [&](const Value* leaf) { return loop.isLoopInvariant(leaf); })) continue;
    const auto* counter = term.leaves.size() == 1 ? dyn_cast<PHINode>(term.leaves[0]) : nullptr;
    if (!counter || counter->getParent() != loop.getHeader() || !loop.getLoopLatch()) return std::nullopt;
    const LinearForm of_one = step_of(*counter, loop);
    if (of_one.terms.empty()) continue;
    if (of_one.terms.size() != 1 || !of_one.terms[0].leaves.empty()) return std::nullopt;
    total = wrapping_sum(total, wrapping_product(term.factor, of_one.terms[0].factor));
  }
  return total;
}

std::optional<LinearForm> LinearForms::in_global_ids(const LinearForm& form, Groups groups) const {
  bool shows_group = false;
  const auto is_of_group = [&](const Value& leaf, auto... kinds) {
    return (is_call_of(leaf, kinds) || ...) && dimension_of(cast<CallBase>(leaf)) < groups.dimensions;
  };
  const auto substitute = [&](const Value& leaf) {
    if (!is_of_group(leaf, Intrinsic::local_id, Intrinsic::enqueued_local_size))
      return LinearForm::leaf(leaf);
    const unsigned dimension = dimension_of(cast<CallBase>(leaf));
    const Value *group = query(unsigned(Intrinsic::group_id), dimension),
                *size = query(unsigned(Intrinsic::local_size), dimension);
    if (!size || !groups.have_one_size) size = query(unsigned(Intrinsic::enqueued_local_size), dimension);
    if (is_call_of(leaf, Intrinsic::enqueued_local_size)) return LinearForm::leaf(*size);
    shows_group |= !group || !size;
    return shows_group
               ? LinearForm()
               : sum(LinearForm::leaf(leaf), product(LinearForm::leaf(*group), LinearForm::leaf(*size)), -1);
  };
  LinearForm result;
  for (const Term& term : form.terms) {
    LinearForm expanded = LinearForm::constant(term.factor);
    for (const Value* leaf : term.leaves)
      expanded = product(expanded, substitute(*leaf));
    result = sum(result, expanded);
  }
  for (const Term& term : result.terms)
    for (const Value* leaf : term.leaves)
      shows_group |=
          is_of_group(*leaf, Intrinsic::group_id, Intrinsic::local_size, Intrinsic::enqueued_local_size);
  return shows_group ? std::nullopt : std::optional(result);
}

bool LinearForms::is_global_id(const LinearForm& form) const {
  const auto has = [&](Intrinsic kind) {
    return any_of(form.terms, [&](const Term& term) {
      return any_of(term.leaves, [&](const Value* leaf) { return is_call_of(*leaf, kind); });
    });
  };
  // If the last group is smaller than the others, its sizes are not equal, and sums of both are no ids.
  if (has(Intrinsic::local_size) && has(Intrinsic::enqueued_local_size)) return false;
  const auto ids = in_global_ids(form, {});
  const auto is_id_of = [&](unsigned dimension) {
    const Value *id = query(unsigned(Intrinsic::local_id), dimension),
                *offset = query(unsigned(Intrinsic::global_offset), dimension);
    return id &&
           (ids->as_leaf() == id || (offset && sum(*ids, LinearForm::leaf(*offset), -1).as_leaf() == id));
  };
  return ids && (is_id_of(0) || is_id_of(1) || is_id_of(2));
}

bool is_item_id(const Value& leaf) {
  return is_call_of(leaf, Intrinsic::local_id) || is_call_of(leaf, Intrinsic::group_id);
}

bool is_divergent(const Value& address, const Function& kernel) {
  LinearForms forms(nullptr, Wrapping::ignored);
  unsigned ids = 0, asked_for = 0;
  for (const Term& term : forms.defined(address).terms) {
    const unsigned of_term = term.dependence & (on_any_id | on_item);
    if (of_term == 0) continue;
    if (!has_single_bit(of_term) || (ids & of_term) ||
        none_of(term.leaves, [](const Value* leaf) { return is_item_id(*leaf); }))
      return false;
    ids |= of_term;
  }
  for (const Instruction& instruction : instructions(kernel))
    if (is_dimension_query(instruction)) asked_for |= forms.defined(instruction).dependence() & on_any_id;
  return ids != 0 && ids == asked_for;
}

bool is_data_dependent(const Value& address) {
  return LinearForms(nullptr, Wrapping::ignored).defined(address).dependence() & on_memory;
}

} // namespace hostcl::compiler
