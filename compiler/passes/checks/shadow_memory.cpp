#include "compiler/passes/checks/shadow_memory.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/order.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::uint8_t unwritten_byte = 0xff;
constexpr StringLiteral shadow_address = "__hostcl_shadow_address";

/// Whether all uses of a pointer are known, so that its address does not escape: accesses, derived pointers, and
/// comparisons.
bool is_followed(Value& pointer, const Function& function, SmallPtrSetImpl<Value*>& seen) {
  if (!seen.insert(&pointer).second) return true;
  return all_of(pointer.uses(), [&](Use& use) {
    auto* user = cast<User>(use.getUser());
    if (auto* instruction = dyn_cast<Instruction>(user);
        instruction && instruction->getFunction() != &function)
      return true; // another kernel's
    if (operand_of_address(*user) == &pointer || isa<PHINode, SelectInst>(user))
      return is_followed(*user, function, seen);
    if (isa<ICmpInst, LifetimeIntrinsic>(user) || is_checked_address(*user) || called_intrinsic(*user))
      return true;
    auto* instruction = dyn_cast<Instruction>(user);
    return instruction && any_of(memory_accesses(*instruction), [&](const MemoryAccess& access) {
             return access.operand == use.getOperandNo();
           });
  });
}

} // namespace

Type* shadow_type(Type* type, const DataLayout& layout) {
  LLVMContext& context = type->getContext();
  if (type->isIntegerTy()) return type;
  if (type->isFloatingPointTy()) return IntegerType::get(context, type->getPrimitiveSizeInBits());
  if (type->isPointerTy()) return IntegerType::get(context, layout.getTypeSizeInBits(type));
  if (auto* vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(shadow_type(vector->getElementType(), layout), vector->getNumElements());
  if (auto* array = dyn_cast<ArrayType>(type))
    return ArrayType::get(shadow_type(array->getElementType(), layout), array->getNumElements());
  if (auto* structure = dyn_cast<StructType>(type)) {
    SmallVector<Type*, 8> elements;
    for (Type* element : structure->elements())
      elements.push_back(shadow_type(element, layout));
    return StructType::get(context, elements, structure->isPacked());
  }
  if (auto* opaque = dyn_cast<TargetExtType>(type); opaque && opaque->getLayoutType()->isSized())
    return shadow_type(opaque->getLayoutType(), layout);
  return Type::getInt8Ty(context); // the type has no observable bits
}

BasicBlock::iterator after_variables(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  const BasicBlock::iterator place = entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction& instruction : make_early_inc_range(make_range(place, entry.end())))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && variable->isStaticAlloca())
      variable->moveBefore(place);
  return place;
}

ShadowMemory::ShadowMemory(Function& function)
    : function_(function), entry_(&function.getEntryBlock(), after_variables(function)) {
  find_variables();
  drop_mixed();
  shadow_private_memory();
  if (is_kernel_body(function)) shadow_local_memory();
}

/// Finds the private and local variables whose address does not escape.
void ShadowMemory::find_variables() {
  auto add = [&](Value& variable) {
    SmallPtrSet<Value*, 16> seen;
    if (!variable.use_empty() && is_followed(variable, function_, seen)) variables_.insert(&variable);
  };
  for (Instruction& instruction : function_.getEntryBlock())
    if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && alloca->isStaticAlloca()) add(*alloca);
  if (!is_kernel_body(function_)) return;
  for (Argument& parameter : function_.args())
    if (parameter.getType()->isPointerTy() && parameter.getType()->getPointerAddressSpace() == local_space)
      add(parameter);
  for (GlobalVariable& variable : function_.getParent()->globals())
    if (variable.getAddressSpace() == local_space && !variable.getName().contains("shadow.")) add(variable);
}

/// Removes variables that share a phi or select of pointers with private or local memory without a shadow: a store
/// through such a pointer could not update the variable's shadow.
void ShadowMemory::drop_mixed() {
  SmallVector<PointerRoots, 8> groups;
  for (Instruction& instruction : instructions(function_))
    if (instruction.getType()->isPointerTy() && isa<PHINode, SelectInst>(instruction))
      groups.push_back(roots_of(instruction));
  for (bool changed = true; changed;) {
    changed = false;
    for (const PointerRoots& roots : groups)
      if (any_of(roots, [&](Value* root) { return kind_of(*root) == Kind::written; }))
        for (Value* root : roots)
          changed |= variables_.remove(root);
  }
}

ShadowMemory::Kind ShadowMemory::kind_of(Value& root) const {
  if (variables_.contains(&root)) return Kind::variable;
  if (isa<AllocaInst, GlobalVariable, UndefValue>(root) || called_intrinsic(root)) return Kind::written;
  if (auto* parameter = dyn_cast<Argument>(&root); parameter && parameter->hasByValAttr())
    return Kind::written;
  const unsigned space = root.getType()->getPointerAddressSpace();
  return space == private_space || space == local_space ? Kind::written : Kind::found;
}

PointerRoots ShadowMemory::roots_of(Value& pointer) const {
  PointerRoots roots = compiler::roots_of(pointer, operand_of_address);
  roots.remove_if([](const Value* root) { return isa<ConstantPointerNull>(root); });
  return roots;
}

bool ShadowMemory::has_shadow(Value& pointer) {
  return any_of(roots_of(pointer), [&](Value* root) { return kind_of(*root) != Kind::written; });
}

bool ShadowMemory::takes_unwritten(Value& pointer) {
  return all_of(roots_of(pointer), [&](Value* root) {
    const Kind kind = kind_of(*root);
    return kind == Kind::variable ||
           (kind == Kind::found && root->getType()->getPointerAddressSpace() == global_space);
  });
}

void ShadowMemory::shadow_private_memory() {
  const DataLayout& layout = function_.getDataLayout();
  for (Value* variable : variables_) {
    auto* alloca = dyn_cast<AllocaInst>(variable);
    if (!alloca) continue;
    IRBuilder<> builder(alloca);
    AllocaInst* shadow =
        builder.CreateAlloca(shadow_type(alloca->getAllocatedType(), layout), alloca->getAddressSpace(),
                             alloca->getArraySize(), written_name(*alloca) + ".shadow");
    shadow->setAlignment(alloca->getAlign());
    known_[alloca] = shadow;
    const std::uint64_t bytes = size_of_variable(*alloca).value_or(0);
    auto begin = [&](IRBuilder<>& where) {
      where.CreateMemSet(shadow, where.getInt8(unwritten_byte), bytes, alloca->getAlign());
      where.CreateMemSet(alloca, where.getInt8(0), bytes, alloca->getAlign());
    };
    bool has_lifetime = false;
    for (User* user : make_early_inc_range(alloca->users())) {
      auto* lifetime = dyn_cast<LifetimeIntrinsic>(user);
      if (!lifetime) continue;
      IRBuilder<> there(lifetime);
      if (lifetime->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
        has_lifetime = true;
        begin(there);
      }
      lifetime->eraseFromParent();
    }
    if (!has_lifetime) begin(entry_);
  }
}

/// Creates the shadow of a variable or parameter in local memory. @param bytes gets the shadow's size
Value* ShadowMemory::shadow_of_local(Value& variable, IRBuilder<>& builder, Value*& bytes) {
  Module& module = *function_.getParent();
  const DataLayout& layout = function_.getDataLayout();
  if (auto* global = dyn_cast<GlobalVariable>(&variable)) {
    Type* type = shadow_type(global->getValueType(), layout);
    auto* shadow = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                                      UndefValue::get(type), "shadow." + written_name(*global), nullptr,
                                      GlobalValue::NotThreadLocal, local_space);
    shadow->setAlignment(global->getAlign().valueOrOne());
    bytes = builder.getInt64(size_of_variable(variable).value_or(0));
    return shadow;
  }
  auto& parameter = cast<Argument>(variable);
  Value* size = call_intrinsic(builder, Intrinsic::object_size, parameter.getArgNo(), "size");
  constexpr std::uint64_t alignment = abi::local_shadow_alignment;
  bytes = builder.CreateAnd(builder.CreateAdd(size, builder.getInt64(alignment - 1)), ~(alignment - 1));
  Value* address = builder.CreatePtrToInt(&parameter, builder.getInt64Ty());
  return builder.CreateIntToPtr(builder.CreateAdd(address, bytes), parameter.getType(),
                                parameter.getName() + ".shadow");
}

/// Lets the group's first work-item set all shadows of local memory to "uninitialised", followed by a barrier.
void ShadowMemory::shadow_local_memory() {
  SmallVector<std::pair<Value*, Value*>, 4> shadows; // with their sizes
  for (Value* variable : variables_) {
    if (isa<AllocaInst>(variable)) continue;
    Value* bytes = nullptr;
    Value* shadow = known_[variable] = shadow_of_local(*variable, entry_, bytes);
    shadows.push_back({shadow, bytes});
  }
  if (shadows.empty()) return;
  Value* ids = entry_.getInt64(0);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    ids = entry_.CreateOr(ids, call_intrinsic(entry_, Intrinsic::local_id, dimension));
  Value* is_first = entry_.CreateICmpEQ(ids, entry_.getInt64(0));
  constexpr unsigned local_fence = 1;
  CallInst* barrier = call_intrinsic(entry_, Intrinsic::barrier, local_fence);
  IRBuilder<> first(SplitBlockAndInsertIfThen(is_first, barrier->getIterator(), false));
  for (auto [shadow, bytes] : shadows)
    first.CreateMemSet(shadow, first.getInt8(unwritten_byte), bytes, Align(1));
  entry_.SetInsertPoint(barrier->getNextNode());
}

Value* ShadowMemory::of(Value& pointer) {
  return has_shadow(pointer) ? compute(pointer) : nullptr;
}

Value* ShadowMemory::compute(Value& pointer) {
  if (Value* known = known_.lookup(&pointer)) return known;
  if (auto* phi = dyn_cast<PHINode>(&pointer)) {
    PHINode* shadows = IRBuilder<>(phi).CreatePHI(phi->getType(), phi->getNumIncomingValues(), "shadow");
    known_[phi] = shadows; // ends the recursion in loops
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      shadows->addIncoming(compute(*phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    return shadows;
  }
  Value* shadow;
  if (auto* select = dyn_cast<SelectInst>(&pointer)) {
    Value *yes = compute(*select->getTrueValue()), *no = compute(*select->getFalseValue());
    shadow = IRBuilder<>(select).CreateSelect(select->getCondition(), yes, no, "shadow");
  } else if (Value* base = operand_of_address(pointer)) {
    Value* from = compute(*base);
    IRBuilder<> builder = builder_before(pointer, entry_);
    if (auto* address = dyn_cast<GEPOperator>(&pointer))
      shadow = builder.CreateGEP(address->getSourceElementType(), from,
                                 SmallVector<Value*, 4>(address->indices()), "shadow");
    else
      shadow = builder.CreateAddrSpaceCast(from, pointer.getType());
  } else {
    shadow = of_root(pointer);
  }
  return known_[&pointer] = shadow;
}

/// The shadow of memory that does not belong to a variable. The shadow of memory that
/// the driver did not allocate is never set.
Value* ShadowMemory::of_root(Value& root) {
  IRBuilder<> builder = builder_behind(root, entry_);
  CallInst* address = call_host(builder, shadow_address, builder.getInt64Ty(),
                                {builder.CreatePtrToInt(&root, builder.getInt64Ty())}, MemoryEffects::none());
  address->getCalledFunction()->addFnAttr(Attribute::Speculatable);
  return builder.CreateIntToPtr(address, root.getType(), "shadow");
}

bool is_shadow_address(const Value& value) {
  return called_function(value) == shadow_address;
}

bool is_checked_address(const User& number) {
  return isa<PtrToIntInst>(number) && all_of(number.users(), [](const User* user) {
           ConstantInt* mask = nullptr;
           return is_report(*user) || is_shadow_address(*user) ||
                  (match(user,
                         PatternMatch::m_And(PatternMatch::m_Value(), PatternMatch::m_ConstantInt(mask))) &&
                   mask->getValue().ult(abi::order_copy_alignment));
         });
}

/// Whether a value was computed from the size of a local argument, whose shadow follows its memory.
static bool comes_from_size(const Value& value, unsigned steps) {
  if (is_call_of(value, Intrinsic::object_size)) return true;
  return steps != 0 && isa<BinaryOperator, CastInst>(value) &&
         any_of(cast<Instruction>(value).operands(),
                [&](const Use& operand) { return comes_from_size(*operand, steps - 1); });
}

bool is_in_shadow(const Value& pointer) {
  constexpr unsigned most_values = 64, most_steps = 8;
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const Value*, 16> open{&pointer};
  while (!open.empty() && seen.size() < most_values) {
    const Value* value = open.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (is_shadow_address(*value) || is_call_of(*value, Intrinsic::object_size)) return true;
    if (const auto* variable = dyn_cast<GlobalVariable>(value);
        variable && variable->getName().starts_with("shadow."))
      return true;
    if (const auto* address = dyn_cast<GEPOperator>(value)) {
      open.push_back(address->getPointerOperand());
      if (any_of(address->indices(), [](const Use& index) { return comes_from_size(*index, most_steps); }))
        return true;
    } else if (isa<BinaryOperator, CastInst, FreezeInst, PHINode, ConstantExpr>(value)) {
      append_range(open, cast<User>(value)->operand_values());
    } else if (const auto* choice = dyn_cast<SelectInst>(value)) {
      open.append({choice->getTrueValue(), choice->getFalseValue()});
    }
  }
  return false;
}

/// Loads the mask at the beginning of the function.
static Value* load_mask(Function& function) {
  constexpr StringLiteral name = "__hostcl_shadow_mask"; // in compiler/code/host_functions.cpp
  Module& module = *function.getParent();
  IRBuilder<> builder(function.getContext());
  GlobalVariable* variable = module.getNamedGlobal(name);
  if (!variable)
    variable =
        new GlobalVariable(module, builder.getInt64Ty(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                           nullptr, name, nullptr, GlobalValue::NotThreadLocal, constant_space);
  builder.SetInsertPoint(after_variables(function));
  LoadInst* mask = builder.CreateLoad(builder.getInt64Ty(), variable, "mask");
  mask->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
  return mask;
}

PreservedAnalyses lower_shadow_addresses_pass(Function& function, FunctionAnalysisManager&) {
  Value* mask = nullptr;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!is_shadow_address(instruction)) continue;
    if (!mask) mask = load_mask(function);
    IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(builder.CreateXor(cast<CallBase>(instruction).getArgOperand(0), mask));
    instruction.eraseFromParent();
  }
  if (!mask) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler
