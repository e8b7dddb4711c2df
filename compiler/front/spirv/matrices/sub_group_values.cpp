// Makes each cooperative matrix one value of its sub-group. Functions with matrices are inlined, and all work-items of
// the sub-group use the first work-item's operands and the first work-item's variables:
//
//   store <256 x float> %m, ptr %v
//     =>   %first = call ptr @__hostcl_sub_group_first_p0(ptr %v)
//          store <256 x float> %m, ptr %first
//
// Each work-item has its own other members of a structure that contains a matrix, so accesses to the whole structure
// become accesses to its members.

#include "compiler/front/spirv/matrices/sub_group_values.hpp"

#include "compiler/ir/matrices.hpp"
#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

bool holds_matrix(const llvm::Type* type) {
  if (is_matrix(*type)) return true;
  if (const auto* array = dyn_cast<ArrayType>(type)) return holds_matrix(array->getElementType());
  const auto* structure = dyn_cast<StructType>(type);
  return structure && any_of(structure->elements(), holds_matrix);
}

namespace {

/// Whether objects of the type contain matrices and something else.
bool is_mixed(const llvm::Type* type) {
  if (const auto* array = dyn_cast<ArrayType>(type)) return is_mixed(array->getElementType());
  const auto* structure = dyn_cast<StructType>(type);
  return structure && holds_matrix(type) && any_of(structure->elements(), [](const llvm::Type* member) {
           return !holds_matrix(member) || is_mixed(member);
         });
}

/// Whether all uses of the address are accesses to whole matrices, at places that are known, so that the variable
/// becomes SSA values.
bool has_plain_uses(const Value& address) {
  return all_of(address.users(), [&](const User* user) {
    if (const auto* part = dyn_cast<GetElementPtrInst>(user))
      return part->hasAllConstantIndices() && has_plain_uses(*part);
    if (const auto* store = dyn_cast<StoreInst>(user); store && store->getValueOperand() == &address)
      return false;
    return isa<LifetimeIntrinsic>(user) ||
           (isa<LoadInst, StoreInst>(user) && holds_matrix(getLoadStoreType(user)));
  });
}

bool uses_matrices(const llvm::Instruction& instruction) {
  const auto holds = [](const Value* value) { return holds_matrix(value->getType()); };
  if (const auto* part = dyn_cast<GetElementPtrInst>(&instruction))
    return holds_matrix(part->getSourceElementType());
  return holds(&instruction) || any_of(instruction.operand_values(), holds);
}

bool uses_matrices(const Function& function) {
  return any_of(function.args(), [](const Argument& argument) { return holds_matrix(argument.getType()); }) ||
         any_of(instructions(function), [](const llvm::Instruction& each) { return uses_matrices(each); });
}

/// Replaces an access by accesses to the members or elements. @returns the new ones
SmallVector<llvm::Instruction*> split(llvm::Instruction& access) {
  IRBuilder<> ir(&access);
  const DataLayout& layout = access.getDataLayout();
  llvm::Type* type = getLoadStoreType(&access);
  const unsigned count =
      type->isArrayTy() ? unsigned(type->getArrayNumElements()) : type->getStructNumElements();
  auto* store = dyn_cast<StoreInst>(&access);
  Value* whole = store ? store->getValueOperand() : PoisonValue::get(type);
  SmallVector<llvm::Instruction*> parts;
  for (unsigned i = 0; i < count; ++i) {
    Value* place = ir.CreateConstInBoundsGEP2_32(type, getLoadStorePointerOperand(&access), 0, i);
    const auto offset = layout.getIndexedOffsetInType(type, {ir.getInt32(0), ir.getInt32(i)});
    const Align alignment = commonAlignment(getLoadStoreAlignment(&access), std::uint64_t(offset));
    if (store) {
      Value* part = ir.CreateExtractValue(whole, i);
      parts.push_back(ir.CreateAlignedStore(part, place, alignment, store->isVolatile()));
    } else {
      LoadInst* part = ir.CreateAlignedLoad(ExtractValueInst::getIndexedType(type, i), place, alignment,
                                            cast<LoadInst>(access).isVolatile());
      whole = ir.CreateInsertValue(whole, part, i);
      parts.push_back(part);
    }
  }
  if (!store) access.replaceAllUsesWith(whole);
  access.eraseFromParent();
  return parts;
}

} // namespace

void inline_matrices(llvm::Module& module) {
  SmallVector<Function*> pending;
  for (Function& function : module)
    if (uses_matrices(function)) pending.push_back(&function);
  SmallPtrSet<const Function*, 8> known;
  while (!pending.empty()) {
    Function* function = pending.pop_back_val();
    if (function->getCallingConv() == CallingConv::SPIR_KERNEL || !known.insert(function).second) continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
    for (User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user)) pending.push_back(call->getFunction());
  }
}

void share_matrix_variables(llvm::Module& module) {
  SmallVector<llvm::Instruction*> accesses;
  for (Function& function : module)
    for (llvm::Instruction& instruction : instructions(function))
      if (isa<LoadInst, StoreInst>(instruction) && holds_matrix(getLoadStoreType(&instruction)))
        accesses.push_back(&instruction);
  DenseMap<const Value*, bool> known; // whether the uses of a variable are plain
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    llvm::Instruction* access = accesses[i];
    if (!holds_matrix(getLoadStoreType(access))) continue;
    if (is_mixed(getLoadStoreType(access))) {
      accesses.append(split(*access));
      continue;
    }
    Use& pointer = access->getOperandUse(isa<LoadInst>(access) ? 0 : 1);
    const Value* variable = getUnderlyingObject(pointer.get(), /*MaxLookup=*/0);
    const auto [found, is_new] = known.try_emplace(variable, false);
    if (is_new) found->second = isa<AllocaInst>(variable) && has_plain_uses(*variable);
    if (found->second) continue;
    IRBuilder<> ir(access);
    pointer.set(of_first_lane(ir, pointer.get()));
  }
}

} // namespace hostcl::compiler::spirv
