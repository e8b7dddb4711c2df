#include "compiler/passes/checks/freedom/race_freedom.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/freedom/launch_forms.hpp"
#include "compiler/passes/checks/freedom/overlap.hpp"
#include "compiler/passes/checks/freedom/unordered_accesses.hpp"
#include "compiler/passes/checks/pointers.hpp"
#include "compiler/passes/checks/race_accesses.hpp"
#include "compiler/values/branch_conditions.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Variables along which all accesses must have the same stride, by number: local ids from 0, group ids from 3,
/// tickets.
constexpr unsigned group_ids = 3, tickets = 6, common_variables = 7;

/// The number of a variable; common_variables for other variables, such as induction variables.
unsigned number_of(const Value& variable) {
  if (isa<AtomicRMWInst>(variable)) return tickets;
  if (!is_item_id(variable)) return common_variables;
  return dimension_of(cast<CallBase>(variable)) + (is_call_of(variable, Intrinsic::group_id) ? group_ids : 0);
}

/// An access, with the form of its offset from the object.
struct Located {
  const SharedAccess* access;
  std::uint64_t bytes;
  LinearForm strides[common_variables] = {};
  SmallVector<LaunchTerm, 2> own = {}; ///< terms of other variables
  LinearForm rest;
  const ConstantInt* only[group_ids] = {}; ///< by dimension: the only local id that makes the access, or null
};

/// A stride, and the greatest value of its variable.
struct Step {
  Value *stride, *last;
};

/// The proof for one kernel. Functions that return bool return false if the proof fails.
class RaceFreedom {
public:
  RaceFreedom(Function& kernel, const SmallVectorImpl<AccessSet>& unordered,
              FunctionAnalysisManager& analyses, IRBuilder<>& builder)
      : kernel_(kernel),
        unordered_(unordered),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        loops_(analyses.getResult<LoopAnalysis>(kernel)),
        build_(builder),
        forms_(loops_, analyses.getResult<ScalarEvolutionAnalysis>(kernel), builder) {}

  Value* condition();

private:
  using Accesses = SmallVector<const SharedAccess*, 4>;

  bool find_objects(ArrayRef<SharedAccess> accesses);
  void find_tickets();
  bool require_own(ArrayRef<const SharedAccess*> accesses, bool is_local);
  bool require_own_between_barriers(ArrayRef<const SharedAccess*> accesses);
  std::optional<Located> locate(const SharedAccess& access);
  void find_guards(Located& located);
  Value* require_tickets();
  bool add_common(ArrayRef<Located> accesses, bool is_local, SmallVectorImpl<Step>& steps);
  bool add_own(ArrayRef<Located> accesses, SmallVectorImpl<Step>& steps);
  Value* window_of(ArrayRef<Located> accesses);
  void require_nested(ArrayRef<Step> steps, Value* window);

  Function& kernel_;
  const SmallVectorImpl<AccessSet>& unordered_;
  const DominatorTree& dominators_;
  const LoopInfo& loops_;
  IRBuilder<>& build_;
  LaunchForms forms_;
  MapVector<const Value*, Accesses> objects_;
  unsigned tickets_of_item_ = 0; ///< most tickets that a work-item takes
};

bool writes(ArrayRef<const SharedAccess*> accesses) {
  return any_of(accesses, [](const SharedAccess* access) { return access->writes(); });
}

bool are_atomic(ArrayRef<const SharedAccess*> accesses) {
  return all_of(accesses, [](const SharedAccess* access) { return access->is_atomic(); });
}

/// The accessed parameter or local variable; null if it is unknown.
const Value* object_of(const SharedAccess& access) {
  const Value* root = getUnderlyingObject(access.pointer());
  if (const Argument* image = image_of(*root)) return image;
  const unsigned space = access.pointer()->getType()->getPointerAddressSpace();
  const bool is_known = isa<Argument>(root) || (space == local_space && isa<GlobalVariable>(root));
  return is_known && root->getType()->getPointerAddressSpace() == space ? root : nullptr;
}

/// Sorts the accesses by object. @returns false if an access has no known object, or belongs to an asynchronous copy
bool RaceFreedom::find_objects(ArrayRef<SharedAccess> accesses) {
  for (const SharedAccess& access : accesses) {
    const Value* object = object_of(access);
    if (access.is_copy || !object) return false;
    objects_[object].push_back(&access);
  }
  return true;
}

/// Whether the operation takes a ticket: it adds one to the counter, at most once in each work-item.
bool takes_ticket(const SharedAccess& access, const Value& counter, const LoopInfo& loops) {
  const auto* update = dyn_cast<AtomicRMWInst>(access.instruction);
  const auto* added = update ? dyn_cast<ConstantInt>(update->getValOperand()) : nullptr;
  return added && update->getOperation() == AtomicRMWInst::Add && added->isOne() &&
         update->getPointerOperand() == &counter && !loops.getLoopFor(update->getParent());
}

/// Finds a counter that the kernel uses for tickets only. Its results are all different, as long as it does not wrap.
void RaceFreedom::find_tickets() {
  for (const auto& [root, accesses] : objects_) {
    if (root->getType()->getPointerAddressSpace() != global_space ||
        !all_of(accesses, [&](const SharedAccess* each) { return takes_ticket(*each, *root, loops_); }))
      continue;
    SmallVector<const Value*, 2> tickets;
    for (const SharedAccess* access : accesses)
      tickets.push_back(access->instruction);
    forms_.note_tickets(tickets);
    tickets_of_item_ = static_cast<unsigned>(tickets.size());
    return; // only one counter: tickets of different counters may be equal
  }
}

/// Finds guards of the form `local_id == constant` that dominate the access.
void RaceFreedom::find_guards(Located& located) {
  auto note = [&](const Value& condition, bool holds) {
    const auto* comparison = dyn_cast<ICmpInst>(&condition);
    if (!comparison || comparison->getPredicate() != (holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE)) return;
    const auto* number = dyn_cast<ConstantInt>(comparison->getOperand(1));
    const Value* id = number ? forms_.id_in(comparison->getOperandUse(0)) : nullptr;
    if (id) located.only[number_of(*id)] = number;
  };
  for_conditions_at(*located.access->instruction->getParent(), dominators_, note);
}

std::optional<Located> RaceFreedom::locate(const SharedAccess& access) {
  const std::uint64_t bytes = access.known_bytes();
  const auto form = forms_.distance(*access.pointer(), *access.instruction->getParent(),
                                    *getUnderlyingObject(access.pointer()));
  if (!bytes || !form) return std::nullopt;
  Located located{.access = &access, .bytes = bytes, .rest = form->rest};
  for (const LaunchTerm& term : form->terms) {
    const unsigned number = number_of(*term.variable);
    if (number == common_variables)
      located.own.push_back(term);
    else if (!std::exchange(located.strides[number], term.stride).terms.empty())
      return std::nullopt; // the sum of two tickets
  }
  find_guards(located);
  return located;
}

/// Requires that the launch takes at most 2^32 tickets, so that they are all different. @returns this number
Value* RaceFreedom::require_tickets() {
  Value *count = build_.getInt64(tickets_of_item_), *most = build_.getInt64(std::uint64_t{1} << 32);
  for (const unsigned dimension : {0U, 1U, 2U})
    count = forms_.multiply(count, call_intrinsic(build_, Intrinsic::global_size, dimension));
  forms_.require(build_.CreateICmpSLE(count, most));
  return most;
}

/// Adds the strides that all accesses must have in common: along ids, or along tickets. A ticket identifies a
/// work-item, so the accesses must then not depend on ids.
bool RaceFreedom::add_common(ArrayRef<Located> accesses, bool is_local, SmallVectorImpl<Step>& steps) {
  const Located& first = accesses.front();
  const bool has_tickets = !first.strides[tickets].terms.empty();
  for (unsigned number = 0; number < common_variables; ++number) {
    const LinearForm& stride = first.strides[number];
    if (!all_of(accesses, [&](const Located& each) { return is_same(each.strides[number], stride); }))
      return false;
    if (has_tickets != (number == tickets)) {
      if (!stride.terms.empty()) return false;
      continue;
    }
    if (number == tickets) {
      steps.push_back({forms_.value_of(stride), require_tickets()});
      continue;
    }
    const bool is_group = number >= group_ids;
    if (is_group && is_local) continue; // local memory belongs to one group
    if (!is_group && first.only[number] && all_of(accesses, [&](const Located& each) {
          return each.only[number] && each.only[number]->getZExtValue() == first.only[number]->getZExtValue();
        }))
      continue;
    steps.push_back(
        {forms_.value_of(stride),
         forms_.last_id(is_group ? Intrinsic::group_id : Intrinsic::local_id, number % group_ids)});
  }
  return true;
}

/// Adds the strides of the accesses' other terms. Equal strides are merged.
bool RaceFreedom::add_own(ArrayRef<Located> accesses, SmallVectorImpl<Step>& steps) {
  struct Own {
    LinearForm stride;
    Value* last;
  };
  using Owns = SmallVector<Own, 4>;
  // The entry for a stride; `last` is null if the entry is new.
  auto entry = [](Owns& owns, const LinearForm& stride) -> Own& {
    auto* known = find_if(owns, [&](const Own& own) { return is_same(own.stride, stride); });
    return known == owns.end() ? owns.emplace_back(Own{stride, nullptr}) : *known;
  };
  Owns all;
  for (const Located& located : accesses) {
    Owns of_access;
    for (const LaunchTerm& term : located.own) {
      Value* last = forms_.last_of(*term.variable);
      if (!last) return false;
      Own& own = entry(of_access, term.stride);
      own.last = own.last ? forms_.add(own.last, last) : last;
    }
    for (const Own& own : of_access) {
      Own& largest = entry(all, own.stride);
      largest.last = largest.last ? forms_.greatest(largest.last, own.last) : own.last;
    }
  }
  for (const Own& own : all)
    steps.push_back({forms_.value_of(own.stride), own.last});
  return true;
}

/// Requires that each stride is at least as large as the window plus the spans of all smaller strides. Different values
/// of the variables then lead to windows that have no byte in common.
void RaceFreedom::require_nested(ArrayRef<Step> steps, Value* window) {
  SmallVector<Value*, 8> lengths, ways;
  Value* none = build_.getInt64(0);
  for (const Step& step : steps) {
    Value* back = build_.CreateNeg(step.stride);
    forms_.require(build_.CreateICmpNE(step.stride, build_.getInt64(std::uint64_t{1} << 63)));
    lengths.push_back(forms_.greatest(step.stride, back));
    ways.push_back(forms_.multiply(lengths.back(), step.last));
  }
  for (unsigned i = 0; i < steps.size(); ++i) {
    Value* below = window;
    for (unsigned j = 0; j < steps.size(); ++j) {
      if (j == i) continue;
      Value* is_shorter =
          j < i ? build_.CreateICmpSLE(lengths[j], lengths[i]) : build_.CreateICmpSLT(lengths[j], lengths[i]);
      below = forms_.add(below, build_.CreateSelect(is_shorter, ways[j], none));
    }
    forms_.require(
        build_.CreateOr(build_.CreateICmpEQ(steps[i].last, none), build_.CreateICmpSGE(lengths[i], below)));
  }
}

/// The size in bytes of the range that the accesses touch for fixed values of all variables.
Value* RaceFreedom::window_of(ArrayRef<Located> accesses) {
  Value *low = nullptr, *high = nullptr;
  for (const Located& located : accesses) {
    Value* begin = forms_.value_of(located.rest);
    Value* end = forms_.add(begin, build_.getInt64(located.bytes));
    low = low ? forms_.least(low, begin) : begin;
    high = high ? forms_.greatest(high, end) : end;
  }
  return forms_.add(high, forms_.multiply(low, build_.getInt64(~std::uint64_t{0})));
}

/// Requires that no two work-items touch the same byte by any of the accesses.
bool RaceFreedom::require_own(ArrayRef<const SharedAccess*> accesses, bool is_local) {
  if (!writes(accesses) || are_atomic(accesses)) return true;
  SmallVector<Located, 4> located;
  for (const SharedAccess* access : accesses) {
    auto found = locate(*access);
    if (!found) return false;
    located.push_back(std::move(*found));
  }
  SmallVector<Step, 8> steps;
  if (!add_common(located, is_local, steps) || !add_own(located, steps)) return false;
  require_nested(steps, window_of(located));
  return true;
}

bool RaceFreedom::require_own_between_barriers(ArrayRef<const SharedAccess*> accesses) {
  return all_of(unordered_, [&](const AccessSet& together) {
    SmallVector<const SharedAccess*, 4> unordered;
    for (const SharedAccess* access : accesses)
      if (together.contains(access->instruction)) unordered.push_back(access);
    return require_own(unordered, /*is_local=*/true);
  });
}

/// Whether a call may access memory in a way that the list of accesses does not contain.
bool may_access(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || called_intrinsic(*call) || call->doesNotAccessMemory())
    return false;
  return !called_function(*call).starts_with("__hostcl_");
}

Value* RaceFreedom::condition() {
  if (any_of(instructions(kernel_), may_access)) return nullptr;
  const auto accesses = shared_accesses(kernel_);
  if (accesses.empty() || !find_objects(accesses)) return nullptr;
  find_tickets();
  for (const auto& [root, of_object] : objects_) {
    const bool is_local = root->getType()->getPointerAddressSpace() == local_space;
    if (!(is_local ? require_own_between_barriers(of_object) : require_own(of_object, is_local)))
      return nullptr;
    if (is_local || !writes(of_object)) continue;
    for (const auto& other : objects_)
      if (other.first != root && other.first->getType()->getPointerAddressSpace() != local_space)
        forms_.require(build_.CreateNot(overlap(build_, *const_cast<Argument*>(cast<Argument>(root)),
                                                *const_cast<Argument*>(cast<Argument>(other.first)))));
  }
  return forms_.holds() ? forms_.holds() : build_.getTrue();
}

} // namespace

Value* condition_of_no_race(Function& kernel, FunctionAnalysisManager& analyses, IRBuilder<>& builder) {
  const auto unordered = unordered_accesses(kernel); // which may split blocks
  analyses.invalidate(kernel, PreservedAnalyses::none());
  return RaceFreedom(kernel, unordered, analyses, builder).condition();
}

} // namespace hostcl::compiler
