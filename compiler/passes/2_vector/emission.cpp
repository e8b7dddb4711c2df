#include "compiler/passes/2_vector/emission.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;

Emission::Emission(const Plan& plan, Function& target, WriteVectorForm write_vector_form)
    : LaneBuilder(target, plan.options.width),
      plan(plan),
      cpu(plan.options.cpu),
      switches(plan.options.switches),
      write_vector_form_(write_vector_form) {
  for (auto [from, to] : zip(plan.kernel().args(), target.args()))
    scalars_[&from] = &to;
}

void Emission::fail(const Instruction& where, const Twine& why) {
  if (failed()) return;
  failure_ = (source_location(where) + why).str();
}

AllocaInst* Emission::slot(Type* type, const Twine& name) {
  BasicBlock& entry = target.getEntryBlock();
  auto* slot = new AllocaInst(type, layout.getAllocaAddrSpace(), name, entry.begin());
  slots.push_back(slot);
  return slot;
}

// ---- Values

void Emission::set(const Value* old, Value* now) {
  if (old->hasName() && isa<Instruction>(now) && !now->hasName()) now->setName(old->getName());
  (shape(old).is_varying() || writes_vector_form_ ? vectors_ : scalars_)[old] = now;
}

Value* Emission::scalar(Value* old) {
  if (isa<Constant, MetadataAsValue, InlineAsm>(old)) return old;
  Value* now = scalars_.lookup(old);
  assert(now && "a varying value is used as a scalar");
  return now;
}

Value* Emission::vector(Value* old) {
  if (auto* constant = dyn_cast<Constant>(old)) return splat_constant(constant);
  if (Value* known = vectors_.lookup(old)) return known;
  Value* one = scalar(old);
  if (auto* constant = dyn_cast<Constant>(one); constant && shape(old).is_uniform())
    return splat_constant(constant);
  IRBuilderBase::InsertPointGuard guard(build);
  place_after(one);
  if (!shape(old).is_checked()) return vectors_[old] = spread(one, shape(old));
  bool outer = std::exchange(writes_vector_form_, true);
  write_vector_form_(*this, *cast<Instruction>(old));
  writes_vector_form_ = outer;
  return vectors_[old];
}

// ---- The mask

Value* Emission::first_active() {
  Type* bits = build.getIntNTy(std::max(width, 32u));
  Value* active = build.CreateZExt(mask_bits(mask), bits);
  return build.CreateZExtOrTrunc(build.CreateIntrinsic(Intrinsic::cttz, {bits}, {active, build.getTrue()}),
                                 build.getInt32Ty());
}

Value* Emission::last_active() {
  Type* bits = build.getIntNTy(std::max(width, 32u));
  Value* active = build.CreateZExt(mask_bits(mask), bits);
  Value* leading = build.CreateIntrinsic(Intrinsic::ctlz, {bits}, {active, build.getTrue()});
  Value* last = ConstantInt::get(bits, bits->getIntegerBitWidth() - 1);
  return build.CreateZExtOrTrunc(build.CreateSub(last, leading), build.getInt32Ty());
}

} // namespace hostcl::compiler
