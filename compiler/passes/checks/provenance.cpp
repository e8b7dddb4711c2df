#include "compiler/passes/checks/provenance.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/pointers.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <cstdint>
#include <limits>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_steps = 8;

/// Whether an integer may be an address or the difference of two addresses: it was converted from a pointer, loaded, or
/// merged by a phi, without having been narrower than a pointer.
bool may_be_distance(const Value& number, unsigned steps) {
  if (isa<Constant>(number)) return false;
  if (is_call_of(number, Intrinsic::object_size)) return true; // the distance to a local argument's shadow
  const auto* operation = dyn_cast<Instruction>(&number);
  if (steps == 0 || !operation || isa<PtrToIntInst, LoadInst, PHINode>(operation)) return true;
  if (isa<SExtInst, ZExtInst>(operation) || called_intrinsic(number)) return false;
  return !isa<BinaryOperator, CastInst>(operation) || any_of(operation->operands(), [&](const Use& operand) {
    return may_be_distance(*operand, steps - 1);
  });
}

/// The pointer from whose address an integer was computed by adding, subtracting or masking integers that are not
/// addresses; null if there is none.
Value* pointer_in(Value& number, unsigned steps) {
  if (auto* address = dyn_cast<PtrToIntOperator>(&number)) return address->getPointerOperand();
  auto* sum = dyn_cast<BinaryOperator>(&number);
  if (!sum || steps == 0) return nullptr;
  Value &left = *sum->getOperand(0), &right = *sum->getOperand(1);
  switch (sum->getOpcode()) {
  case Instruction::Add:
    if (!may_be_distance(right, most_steps)) return pointer_in(left, steps - 1);
    return may_be_distance(left, most_steps) ? nullptr : pointer_in(right, steps - 1);
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
    return may_be_distance(right, most_steps) ? nullptr : pointer_in(left, steps - 1);
  default:
    return nullptr;
  }
}

/// The pointer from which a pointer is derived, with the same object; null for a root.
Value* derived_from(Value& pointer) {
  if (auto* number = dyn_cast<IntToPtrInst>(&pointer)) return pointer_in(*number->getOperand(0), most_steps);
  return operand_of_address(pointer);
}

/// Writes a call of a host callback that finds objects by their addresses (docs/kernel-ir.md).
Value* ask_host(IRBuilder<>& builder, StringRef name, Value* address) {
  return call_host(builder, name, builder.getInt64Ty(), {address},
                   MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
}

} // namespace

Value* Provenance::limit(IRBuilder<>& builder, std::uint64_t bytes) const {
  if (auto* known = dyn_cast<ConstantInt>(size))
    return builder.getInt64(known->getZExtValue() < bytes ? 0 : known->getZExtValue() - bytes + 1);
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, size, builder.getInt64(bytes - 1), nullptr,
                                       "limit");
}

Provenance Provenance::for_access(bool reads, bool writes) const {
  Provenance provenance = *this;
  if (writes && writable) provenance.size = writable;
  if (reads && !writes && readable) provenance.size = readable;
  return provenance;
}

bool Provenance::is_all_memory() const {
  const auto* known = dyn_cast<ConstantInt>(size);
  return known && known->isMinusOne();
}

ProvenanceAnalysis::ProvenanceAnalysis(Function& function)
    : function_(function),
      entry_(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

Provenance ProvenanceAnalysis::of(Value& pointer) {
  if (auto known = known_.find(&pointer); known != known_.end()) return known->second;
  const Provenance provenance = compute(pointer);
  known_[&pointer] = provenance;
  return provenance;
}

Provenance ProvenanceAnalysis::compute(Value& pointer) {
  if (is_in_shadow(pointer)) return anywhere(pointer);
  if (auto* address = dyn_cast<GEPOperator>(&pointer)) return of_address(*address);
  Value* base = derived_from(pointer);
  if (auto* number = dyn_cast<IntToPtrInst>(&pointer); number && base) return of_integer(*number, *base);
  if (base) return of(*base);
  if (auto* phi = dyn_cast<PHINode>(&pointer)) return of_phi(*phi);
  if (auto* select = dyn_cast<SelectInst>(&pointer)) return of_select(*select);
  return of_root(pointer);
}

Provenance ProvenanceAnalysis::of_address(GEPOperator& address) {
  Provenance provenance = of(*address.getPointerOperand());
  IRBuilder<> builder = builder_before(address, entry_);
  Value* bytes = emitGEPOffset(&builder, function_.getDataLayout(), &address, /*NoAssumptions=*/true);
  bytes = builder.CreateSExtOrTrunc(bytes, builder.getInt64Ty());
  provenance.offset = builder.CreateAdd(provenance.offset, bytes);
  return provenance;
}

Provenance ProvenanceAnalysis::of_phi(PHINode& phi) {
  IRBuilder<> builder(&phi);
  auto new_phi = [&](const char* name) {
    return builder.CreatePHI(builder.getInt64Ty(), phi.getNumIncomingValues(), name);
  };
  Provenance provenance;
  PHINode *low = nullptr, *size = nullptr, *offset = new_phi("offset");
  if (const PointerRoots roots = roots_of(phi, derived_from); roots.size() == 1) {
    provenance = of(*roots.front());
    provenance.root = roots.front();
  } else {
    provenance.low = low = new_phi("low");
    provenance.size = size = new_phi("size");
  }
  provenance.offset = offset;
  known_[&phi] = provenance; // ends the recursion in loops
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Provenance incoming = of(*phi.getIncomingValue(i));
    BasicBlock* from = phi.getIncomingBlock(i);
    offset->addIncoming(incoming.offset, from);
    if (low) low->addIncoming(incoming.low, from);
    if (size) size->addIncoming(incoming.size, from);
  }
  return provenance;
}

/// An integer that was computed from the address of `base` keeps the object of `base`.
Provenance ProvenanceAnalysis::of_integer(IntToPtrInst& address, Value& base) {
  Provenance provenance = of(base);
  IRBuilder<> builder(&address);
  Value* from = builder.CreatePtrToInt(&base, builder.getInt64Ty());
  Value* to = builder.CreateZExtOrTrunc(address.getOperand(0), builder.getInt64Ty());
  provenance.offset = builder.CreateAdd(provenance.offset, builder.CreateSub(to, from), "offset");
  return provenance;
}

Provenance ProvenanceAnalysis::of_select(SelectInst& select) {
  const Provenance yes = of(*select.getTrueValue()), no = of(*select.getFalseValue());
  IRBuilder<> builder(&select);
  auto choose = [&](Value* a, Value* b) {
    return a == b ? a : builder.CreateSelect(select.getCondition(), a, b);
  };
  if (yes.root && yes.root == no.root) {
    Provenance provenance = yes;
    provenance.offset = choose(yes.offset, no.offset);
    return provenance;
  }
  return {choose(yes.low, no.low), choose(yes.size, no.size), choose(yes.offset, no.offset)};
}

Provenance ProvenanceAnalysis::of_root(Value& root) {
  if (auto* parameter = dyn_cast<Argument>(&root)) return of_parameter(*parameter);
  if (const auto bytes = size_of_variable(root)) return of_variable(root, *bytes);
  if (isa<ConstantPointerNull>(root)) return of_variable(root, 0);
  const unsigned space = root.getType()->getPointerAddressSpace();
  if (is_shadow_address(root)) return anywhere(root);
  // Loaded pointers to private and local memory are not checked, because their objects are unknown. Pointers into
  // images are not checked either: the library itself stays inside of images.
  if (isa<UndefValue>(root) || image_of(root) || called_intrinsic(root) || space == private_space ||
      space == local_space)
    return anywhere(root);
  return of_found(root);
}

Provenance ProvenanceAnalysis::of_parameter(Argument& parameter) {
  if (is_image(parameter)) return anywhere(parameter);
  if (parameter.hasByValAttr())
    return of_variable(
        parameter, function_.getDataLayout().getTypeAllocSize(parameter.getParamByValType()).getFixedValue());
  const std::size_t number = parameter.getArgNo(), access = function_.arg_size() + number;
  if (parameter.getType()->getPointerAddressSpace() == local_space) // it points to the start of its object
    return {entry_.getInt64(0), call_intrinsic(entry_, Intrinsic::object_size, number, "size"),
            entry_.getInt64(0), &parameter};
  return {call_intrinsic(entry_, Intrinsic::object_low, number, "low"),
          call_intrinsic(entry_, Intrinsic::object_size, number, "size"),
          entry_.getInt64(0),
          &parameter,
          call_intrinsic(entry_, Intrinsic::object_low, access, "readable"),
          call_intrinsic(entry_, Intrinsic::object_size, access, "writable")};
}

Provenance ProvenanceAnalysis::of_variable(Value& root, std::uint64_t bytes) {
  return {entry_.getInt64(0), entry_.getInt64(bytes), entry_.getInt64(0), &root};
}

/// An object that comprises all memory, so that no access is out of bounds.
Provenance ProvenanceAnalysis::anywhere(Value& root) {
  return {entry_.getInt64(std::uint64_t{1} << 63), entry_.getInt64(std::numeric_limits<std::uint64_t>::max()),
          entry_.getInt64(0), &root};
}

Provenance ProvenanceAnalysis::of_found(Value& root) {
  IRBuilder<> builder = builder_behind(root, entry_);
  Value* address = builder.CreatePtrToInt(&root, builder.getInt64Ty());
  return {ask_host(builder, "__hostcl_object_low_at", address),
          ask_host(builder, "__hostcl_object_size_at", address), builder.getInt64(0), &root};
}

} // namespace hostcl::compiler
