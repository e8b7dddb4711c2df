#include "compiler/values/linear_forms.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_depth = 200;
constexpr std::size_t most_terms = 16;

LinearForm constant(std::int64_t value) {
  LinearForm form;
  if (value != 0) form.terms.push_back({value, {}, 0});
  return form;
}

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

bool is_number(const Type& type) {
  return type.isPointerTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

bool is_leaf(const LinearForm& form, const Value& value) {
  return form.terms.size() == 1 && form.terms[0].factor == 1 && form.terms[0].leaves.size() == 1 &&
         form.terms[0].leaves[0] == &value;
}

} // namespace

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
    return constant(number->getSExtValue());
  if (isa<ConstantPointerNull>(value)) return constant(0);
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return leaf(value, 0);
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  if (depth_ == most_depth) return leaf(value, on_item | on_any_id);
  find_counters_around(*instruction);
  if (auto found = known_.find(&value); found != known_.end()) return found->second;
  known_[&value] = leaf(value, on_item | on_any_id); // a placeholder until the form is computed
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
  return form.terms.size() <= most_terms ? std::move(form) : leaf(instruction, form.dependence());
}

LinearForm LinearForms::leaf(const Value& value, unsigned dependence) {
  LinearForm form;
  form.terms.push_back({1, {&value}, dependence});
  return form;
}

LinearForm LinearForms::leaf_of_operands(const Instruction& instruction) {
  unsigned dependence = 0;
  if (instruction.mayReadFromMemory()) dependence |= on_memory;
  if (is_source_of_divergence(instruction) || isa<PHINode>(instruction)) dependence |= on_item | on_any_id;
  for (const Use& operand : instruction.operands())
    if (!isa<PHINode>(instruction) && !isa<BasicBlock>(operand)) dependence |= of(operand).dependence();
  return leaf(instruction, dependence);
}

LinearForm LinearForms::compute(const Instruction& instruction) {
  if (const auto kind = called_intrinsic(instruction); kind && is_dimension_query(instruction)) {
    const unsigned dimension = dimension_of(cast<CallBase>(instruction));
    const Value*& query =
        queries_.try_emplace({static_cast<unsigned>(*kind), dimension}, &instruction).first->second;
    const unsigned id = kind == Intrinsic::local_id   ? on_local_id << dimension
                        : kind == Intrinsic::group_id ? on_group_id << dimension
                                                      : 0;
    return leaf(*query, id);
  }
  if (const auto parts = linear_sum_of(instruction)) return of_sum(instruction, *parts);
  if (const auto* phi = dyn_cast<PHINode>(&instruction); phi && is_number(*phi->getType()))
    return of_counter(*phi);
  if (instruction.getOpcode() == Instruction::Mul && is_number(*instruction.getType()))
    return product(of(instruction.getOperandUse(0)), of(instruction.getOperandUse(1)));
  return leaf_of_operands(instruction);
}

LinearForm LinearForms::of_sum(const Instruction& instruction, const LinearSum& parts) {
  LinearForm form = constant(parts.constant);
  for (const LinearPart& part : parts.parts) {
    LinearForm each = of(*part.value, *instruction.getParent());
    // Signed and unsigned extensions of a leaf are different values.
    const bool is_extension = isa<ZExtInst, SExtInst>(instruction);
    if (part.value->getType()->isIntegerTy(1) || (is_extension && is_leaf(each, *part.value)) ||
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
  const LinearForm form = sum(start, leaf(phi, 0));
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

bool is_data_dependent(const Value& address) {
  return LinearForms(nullptr, Wrapping::ignored).defined(address).dependence() & on_memory;
}

} // namespace hostcl::compiler
