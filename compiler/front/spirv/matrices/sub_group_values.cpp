// What makes a cooperative matrix one value of its sub-group: operands are those of the first work-item, functions with
// matrices are inlined, and variables are those of the first work-item:
//
//   store <256 x float> %m, ptr %v
//     =>   %first = call ptr @__hostcl_sub_group_first_p0(ptr %v)
//          store <256 x float> %m, ptr %first

#include "compiler/front/spirv/matrices/sub_group_values.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

Value* of_first_item(llvm::Module& module, IRBuilder<>& ir, Value* value) {
  if (isa<Constant>(value)) return value;
  llvm::Type* type = value->getType();
  if (type->isIntegerTy(1))
    return ir.CreateTrunc(of_first_item(module, ir, ir.CreateZExt(value, ir.getInt8Ty())), type);
  const char* letter = type->isPointerTy() ? "p" : type->isIntegerTy() ? "i" : "f";
  const unsigned number = type->isPointerTy() ? type->getPointerAddressSpace() : type->getScalarSizeInBits();
  const std::string name = std::string("__hostcl_sub_group_first_") + letter + std::to_string(number);
  CallInst* call = ir.CreateCall(module.getOrInsertFunction(name, type, type), {value});
  call->getCalledFunction()->setCallingConv(CallingConv::SPIR_FUNC);
  call->getCalledFunction()->addFnAttr(Attribute::Convergent);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  call->addFnAttr(Attribute::Convergent);
  return call;
}

namespace {

constexpr unsigned longest_vector = 16; ///< of OpenCL C and SPIR-V; longer ones in IR are matrices

bool holds_matrix(const llvm::Type* type) {
  if (const auto* vector = dyn_cast<FixedVectorType>(type)) return vector->getNumElements() > longest_vector;
  if (const auto* array = dyn_cast<ArrayType>(type)) return holds_matrix(array->getElementType());
  const auto* structure = dyn_cast<StructType>(type);
  return structure &&
         any_of(structure->elements(), [](const llvm::Type* member) { return holds_matrix(member); });
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

bool uses_matrices(const Function& function) {
  return any_of(function.args(), [](const Argument& argument) { return holds_matrix(argument.getType()); }) ||
         any_of(instructions(function),
                [](const llvm::Instruction& each) { return holds_matrix(each.getType()); });
}

} // namespace

void inline_matrices(llvm::Module& module) {
  for (Function& function : module) {
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL || !uses_matrices(function)) continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

void share_matrix_variables(llvm::Module& module) {
  SmallVector<llvm::Instruction*> accesses;
  for (Function& function : module)
    for (llvm::Instruction& instruction : instructions(function))
      if (isa<LoadInst, StoreInst>(instruction) && holds_matrix(getLoadStoreType(&instruction)))
        accesses.push_back(&instruction);
  DenseMap<const Value*, bool> known; // whether the uses of a variable are plain
  for (llvm::Instruction* access : accesses) {
    Use& pointer = access->getOperandUse(isa<LoadInst>(access) ? 0 : 1);
    const Value* variable = getUnderlyingObject(pointer.get(), /*MaxLookup=*/0);
    const auto [found, is_new] = known.try_emplace(variable, false);
    if (is_new) found->second = isa<AllocaInst>(variable) && has_plain_uses(*variable);
    if (found->second) continue;
    IRBuilder<> ir(access);
    pointer.set(of_first_item(module, ir, pointer.get()));
  }
}

} // namespace hostcl::compiler::spirv
