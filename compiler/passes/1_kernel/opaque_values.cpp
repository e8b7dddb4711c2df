// Lowers pipes and reservation ids from opaque target types to plain values, in all types of a module: a pipe becomes
// the address of its abi::Pipe (address space 1), a reservation id becomes an i64. Runs on a kernel's module before the
// built-in library is linked, whose functions have plain parameters.
//
//   before:  %pair = type { target("spirv.ReserveId"), i32 }
//            @id = internal addrspace(3) global target("spirv.ReserveId") poison
//            define spir_kernel void @k(target("spirv.Pipe", 0) %p) {
//              %id = call target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0) %p, ...)
//   after:   %pair.plain = type { i64, i32 }
//            @id = internal addrspace(3) global i64 poison
//            define spir_kernel void @k(ptr addrspace(1) %p) {
//              %id = call i64 @__reserve_read_pipe(ptr addrspace(1) %p, ...)
//
// `image-values` does the same for images and samplers. Test: tests/passes/1_kernel/opaque_values.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Maps each type to the same type with opaque types replaced by plain ones.
class PlainTypes : public ValueMapTypeRemapper {
public:
  Type* remapType(Type* type) override {
    if (!type->isAggregateType() && !type->isFunctionTy() && !type->isTargetExtTy()) return type;
    if (Type* known = known_.lookup(type)) return known;
    return known_[type] = plain(*type);
  }
  bool changes(Type* type) { return remapType(type) != type; }
  FunctionType* of(FunctionType* type) { return cast<FunctionType>(remapType(type)); }

private:
  Type* plain(Type& type) {
    if (auto* opaque = dyn_cast<TargetExtType>(&type)) return plain_value(*opaque);
    SmallVector<Type*, 8> parts;
    for (Type* part : type.subtypes())
      parts.push_back(remapType(part));
    if (equal(parts, type.subtypes())) return &type;
    if (auto* array = dyn_cast<ArrayType>(&type)) return ArrayType::get(parts[0], array->getNumElements());
    if (auto* function = dyn_cast<FunctionType>(&type))
      return FunctionType::get(parts[0], ArrayRef(parts).drop_front(), function->isVarArg());
    auto& record = cast<StructType>(type);
    if (record.isLiteral()) return StructType::get(type.getContext(), parts, record.isPacked());
    return StructType::create(type.getContext(), parts, (record.getName() + ".plain").str(),
                              record.isPacked());
  }

  static Type* plain_value(TargetExtType& type) {
    if (type.getName() == "spirv.Pipe") return PointerType::get(type.getContext(), global_space);
    if (type.getName() == "spirv.ReserveId") return Type::getInt64Ty(type.getContext());
    return &type;
  }

  DenseMap<Type*, Type*> known_;
};

/// The attributes with plain types in `byval`, `sret` and `byref`, which name the type that a parameter points to.
AttributeList plain_attributes(AttributeList attributes, unsigned parameters, LLVMContext& context,
                               PlainTypes& types) {
  for (unsigned i = 0; i < parameters; ++i)
    for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ByRef})
      if (Type* type = attributes.getParamAttr(i, kind).getValueAsType(); type && types.changes(type))
        attributes = attributes.replaceAttributeTypeAtIndex(context, i + AttributeList::FirstArgIndex, kind,
                                                            types.remapType(type));
  return attributes;
}

/// Gives the variable its plain type, under the same name.
void make_plain(GlobalVariable& variable, ValueMapper& mapper, PlainTypes& types) {
  Constant* initial = variable.hasInitializer() ? mapper.mapConstant(*variable.getInitializer()) : nullptr;
  auto* made = new GlobalVariable(*variable.getParent(), types.remapType(variable.getValueType()),
                                  variable.isConstant(), variable.getLinkage(), initial, "", &variable,
                                  variable.getThreadLocalMode(), variable.getAddressSpace());
  made->copyAttributesFrom(&variable);
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
}

/// Gives the function its plain type, under the same name.
void make_plain(Function& function, PlainTypes& types) {
  Function* made = Function::Create(types.of(function.getFunctionType()), function.getLinkage(),
                                    function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->setComdat(function.getComdat());
  made->takeName(&function);
  made->splice(made->begin(), &function);
  for (auto [before, after] : zip(function.args(), made->args())) {
    before.mutateType(after.getType());
    before.replaceAllUsesWith(&after);
    after.takeName(&before);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
}

} // namespace

PreservedAnalyses opaque_values_pass(Module& module, ModuleAnalysisManager&) {
  PlainTypes types;
  // Every pipe and every valid reservation id is a parameter or result of some function, so a module none of whose
  // functions has such a type in its signature needs no change.
  if (none_of(module.functions(),
              [&](Function& function) { return types.changes(function.getFunctionType()); }))
    return PreservedAnalyses::all();
  ValueToValueMapTy values;
  ValueMapper mapper(values, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges, &types);
  for (GlobalVariable& variable : make_early_inc_range(module.globals()))
    if (types.changes(variable.getValueType())) make_plain(variable, mapper, types);
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      mapper.remapInstruction(instruction);
  for (Function& function : make_early_inc_range(module)) {
    function.setAttributes(
        plain_attributes(function.getAttributes(), function.arg_size(), module.getContext(), types));
    if (types.changes(function.getFunctionType())) make_plain(function, types);
  }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
