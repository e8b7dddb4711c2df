#include "compiler/values/linear_forms.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_depth = 200;
constexpr std::size_t most_terms = 16, most_leaves = 8;

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

} // namespace

LinearForm LinearForm::constant(std::int64_t value) {
  LinearForm form;
  if (value != 0) form.terms.push_back({value, {}, 0});
  return form;
}

LinearForm LinearForm::leaf(const Value& value, unsigned dependence) {
  LinearForm form;
  form.terms.push_back({1, {&value}, dependence});
  return form;
}

bool LinearForm::is_leaf(const Value& value) const {
  return terms.size() == 1 && terms[0].factor == 1 && terms[0].leaves.size() == 1 &&
         terms[0].leaves[0] == &value;
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

std::optional<LinearForm> in_global_ids(const LinearForm& form, Groups groups) {
  struct Queries {
    const Value *group = nullptr, *size = nullptr;
  };
  std::array<Queries, 3> found;
  const auto dimension_in = [&](const Value& leaf, auto... kinds) -> std::optional<unsigned> {
    if (!(is_call_of(leaf, kinds) || ...)) return std::nullopt;
    const unsigned dimension = dimension_of(cast<CallBase>(leaf));
    return dimension < groups.dimensions ? std::optional(dimension) : std::nullopt;
  };
  const auto size_in = [&](const Value& leaf) {
    return groups.have_one_size ? dimension_in(leaf, Intrinsic::enqueued_local_size, Intrinsic::local_size)
                                : dimension_in(leaf, Intrinsic::enqueued_local_size);
  };
  for (const Term& term : form.terms)
    for (const Value* leaf : term.leaves) {
      if (const auto dimension = dimension_in(*leaf, Intrinsic::group_id)) found[*dimension].group = leaf;
      if (const auto dimension = size_in(*leaf)) found[*dimension].size = leaf;
    }
  LinearForm result;
  for (const Term& term : form.terms) {
    LinearForm expanded = LinearForm::constant(term.factor);
    for (const Value* leaf : term.leaves) {
      LinearForm factor = LinearForm::leaf(*leaf);
      if (const auto dimension = size_in(*leaf)) {
        factor = LinearForm::leaf(*found[*dimension].size);
      } else if (const auto dimension = dimension_in(*leaf, Intrinsic::local_id)) {
        const auto& [group, size] = found[*dimension];
        if (!group || !size) return std::nullopt;
        factor = sum(factor, product(LinearForm::leaf(*group), LinearForm::leaf(*size)), -1);
      }
      expanded = product(expanded, factor);
    }
    result = sum(result, expanded);
  }
  for (const Term& term : result.terms)
    if (any_of(term.leaves, [&](const Value* leaf) {
          return dimension_in(*leaf, Intrinsic::group_id, Intrinsic::local_size,
                              Intrinsic::enqueued_local_size);
        }))
      return std::nullopt;
  return result;
}

bool is_global_id(const LinearForm& form) {
  const auto form_of_ids = in_global_ids(form, {});
  if (!form_of_ids) return false;
  const Value* found[2] = {nullptr, nullptr}; // the id and the offset
  for (const Term& term : form_of_ids->terms) {
    if (term.factor != 1 || term.leaves.size() != 1) return false;
    const bool is_offset = is_call_of(*term.leaves[0], Intrinsic::global_offset);
    if (!is_offset && !is_call_of(*term.leaves[0], Intrinsic::local_id)) return false;
    if (std::exchange(found[is_offset], term.leaves[0])) return false;
  }
  const auto& [id, offset] = found;
  return id && (!offset || dimension_of(cast<CallBase>(*id)) == dimension_of(cast<CallBase>(*offset)));
}

LinearForm LinearForms::of(const Use& operand) {
  return of(*operand.get(), *cast<Instruction>(operand.getUser())->getParent());
}

bool LinearForms::may_have_left_loop(const Value& leaf, const BasicBlock& at) const {
  const auto* instruction = dyn_cast<Instruction>(&leaf);
  if (!loops_ || !instruction || is_dimension_query(leaf)) return false;
  const Loop* loop = loops_->getLoopFor(instruction->getParent());
  return loop && !loop->contains(&at);
}

LinearForm LinearForms::seen_from(const BasicBlock& at, LinearForm form) const {
  for (Term& term : form.terms)
    if (any_of(term.leaves, [&](const Value* leaf) { return may_have_left_loop(*leaf, at); }))
      term.dependence |= on_item | on_any_id;
  return form;
}

LinearForm LinearForms::defined(const Value& value) {
  if (const auto* number = dyn_cast<ConstantInt>(&value); number && number->getBitWidth() <= 64)
    return LinearForm::constant(number->getSExtValue());
  if (isa<ConstantPointerNull>(value)) return LinearForm::constant(0);
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return LinearForm::leaf(value, 0);
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  if (depth_ == most_depth) return LinearForm::leaf(value, on_item | on_any_id);
  find_counters_around(*instruction);
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  known_[&value] = LinearForm::leaf(value, on_item | on_any_id); // a placeholder until the form is computed
  order_.push_back(&value);
  ++depth_;
  LinearForm form = limited(compute(*instruction), *instruction);
  --depth_;
  if (auto known = known_.find(&value); known != known_.end()) known->second = form;
  return form;
}

/// Computes the forms of all header phis of the loops around the instruction, before any form that depends on them. If
/// a query began within the cycle of a phi and its next value, the phi's form would be built from an unfinished form.
/// Each cycle of values in a loop contains a header phi, so the order in which forms are asked for does not matter
/// (except for expressions deeper than most_depth).
void LinearForms::find_counters_around(const Instruction& instruction) {
  const BasicBlock* block = instruction.getParent();
  const Loop* loop = loops_ ? loops_->getLoopFor(block) : nullptr;
  if (loop && loop->getHeader() == block && isa<PHINode>(instruction)) loop = loop->getParentLoop();
  if (!loop) return;
  for (const PHINode& phi : loop->getHeader()->phis())
    if (is_number(*phi.getType())) defined(phi); // computes the forms of outer loops' phis first
}

LinearForm LinearForms::limited(LinearForm form, const Instruction& instruction) {
  const bool is_long = form.terms.size() > most_terms ||
                       any_of(form.terms, [](const Term& term) { return term.leaves.size() > most_leaves; });
  return is_long ? LinearForm::leaf(instruction, form.dependence()) : std::move(form);
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
    const Value*& query =
        queries_.try_emplace({static_cast<unsigned>(*kind), dimension}, &instruction).first->second;
    const unsigned id = kind == Intrinsic::local_id   ? on_local_id << dimension
                        : kind == Intrinsic::group_id ? on_group_id << dimension
                                                      : 0;
    return LinearForm::leaf(*query, id);
  }
  if (const auto parts = linear_sum_of(instruction)) return of_sum(instruction, *parts);
  if (const auto* phi = dyn_cast<PHINode>(&instruction); phi && is_number(*phi->getType()))
    return of_counter(*phi);
  if (instruction.getOpcode() == Instruction::Mul && is_number(*instruction.getType()))
    return product(of(instruction.getOperandUse(0)), of(instruction.getOperandUse(1)));
  return leaf_of_operands(instruction);
}

LinearForm LinearForms::of_sum(const Instruction& instruction, const LinearSum& parts) {
  LinearForm form = LinearForm::constant(parts.constant);
  for (const LinearPart& part : parts.parts) {
    LinearForm each = of(*part.value, *instruction.getParent());
    // Signed and unsigned extensions of a leaf are different values.
    const bool is_extension = isa<ZExtInst, SExtInst>(instruction);
    if (part.value->getType()->isIntegerTy(1) || (is_extension && each.is_leaf(*part.value)) ||
        (part.extension != Extension::none && wrapping_ == Wrapping::counts))
      return leaf_of_operands(instruction);
    form = sum(std::move(form), each, part.factor);
  }
  return form;
}

/// The form of a phi whose step is uniform: start plus leaf. The step's own form is computed on the assumption that the
/// step is uniform. If the assumption turns out to be wrong, the forms computed on it are dropped. Only the forms of
/// other header phis whose steps turned out to be divergent are kept: a step that is divergent although this phi was
/// assumed to be uniform is divergent without the assumption as well.
LinearForm LinearForms::of_counter(const PHINode& phi) {
  const Loop* loop = loops_ ? loops_->getLoopFor(phi.getParent()) : nullptr;
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopPredecessor() || !loop->getLoopLatch())
    return leaf_of_operands(phi);
  const auto incoming = [&](const BasicBlock* from) {
    return of(phi.getOperandUse(static_cast<unsigned>(phi.getBasicBlockIndex(from))));
  };
  const LinearForm start = incoming(loop->getLoopPredecessor());
  const LinearForm form = sum(start, LinearForm::leaf(phi, 0));
  known_[&phi] = form;
  const std::size_t before = order_.size();
  const LinearForm next = incoming(loop->getLoopLatch());
  const LinearForm step = sum(next, form, -1);
  if (!(step.dependence() & (on_any_id | on_item))) return form;
  forget_since(before);
  unlike_.insert(&phi);
  return leaf_of_operands(phi);
}

std::optional<std::int64_t> LinearForms::step(const Value& value, const Loop& loop) {
  std::int64_t total = 0;
  for (const Term& term : defined(value).terms) {
    if (all_of(term.leaves, [&](const Value* leaf) { return loop.isLoopInvariant(leaf); })) continue;
    const auto* counter = term.leaves.size() == 1 ? dyn_cast<PHINode>(term.leaves[0]) : nullptr;
    if (!counter || counter->getParent() != loop.getHeader() || !loop.getLoopLatch()) return std::nullopt;
    const LinearForm of_one =
        sum(defined(*counter->getIncomingValueForBlock(loop.getLoopLatch())), defined(*counter), -1);
    if (of_one.terms.empty()) continue;
    if (of_one.terms.size() != 1 || !of_one.terms[0].leaves.empty()) return std::nullopt;
    total = wrapping_sum(total, wrapping_product(term.factor, of_one.terms[0].factor));
  }
  return total;
}

void LinearForms::forget_since(std::size_t count) {
  while (order_.size() > count)
    if (const Value* value = order_.pop_back_val(); !unlike_.contains(value)) known_.erase(value);
}

bool is_divergent(const Value& address, const Function& kernel) {
  LinearForms forms(nullptr, Wrapping::ignored);
  unsigned ids = 0, asked_for = 0;
  for (const Term& term : forms.defined(address).terms) {
    const unsigned of_term = term.dependence & (on_any_id | on_item);
    if (of_term == 0) continue;
    const auto is_id = [](const Value* leaf) {
      return is_call_of(*leaf, Intrinsic::local_id) || is_call_of(*leaf, Intrinsic::group_id);
    };
    if (!has_single_bit(of_term) || (ids & of_term) || none_of(term.leaves, is_id)) return false;
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
