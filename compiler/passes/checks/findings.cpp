#include "compiler/passes/checks/findings.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringRef report_name = "__hostcl_report";

/// A text in the kernel's module; equal ones are one.
Constant* text(Module& module, StringRef value) {
  const std::string name = ("hostcl.text." + value).str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  Constant* data = ConstantDataArray::getString(module.getContext(), value);
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, data,
                            name);
}

/// Line `number` of a text, counted from 1, without the spaces around it.
StringRef line_of(StringRef source, unsigned number) {
  for (unsigned i = 1; i < number; ++i)
    source = source.split('\n').second;
  return source.split('\n').first.trim();
}

} // namespace

StringRef written_name(const Value& value) {
  StringRef name = value.getName();
  if (isa<GlobalVariable>(value)) return name.contains('.') ? name.rsplit('.').second : name;
  return name.split('.').first;
}

namespace {

/// Where an instruction stands in the source. Passes that move one drop that: what computes its address or its value
/// stands close to it.
struct SourcePlace {
  const DIFile* file = nullptr;
  unsigned line = 0, column = 0;
};

SourcePlace place_of(const Instruction& instruction) {
  constexpr unsigned most_steps = 4;
  SmallVector<const Value*, 4> near{&instruction, getPointerOperand(&instruction)};
  append_range(near, instruction.operand_values());
  for (const Value* value : near)
    for (unsigned i = 0; i < most_steps && isa_and_nonnull<Instruction>(value); ++i) {
      const auto& step = cast<Instruction>(*value);
      if (const DILocation* place = step.getDebugLoc(); place && place->getLine())
        return {place->getFile(), place->getLine(), place->getColumn()};
      value = step.getNumOperands() ? step.getOperand(0) : nullptr;
    }
  const DISubprogram* kernel = instruction.getFunction()->getSubprogram();
  return kernel ? SourcePlace{kernel->getFile(), kernel->getLine(), 0} : SourcePlace();
}

} // namespace

Constant* site_of(const Instruction& instruction, const SiteFacts& facts) {
  const Function& kernel = facts.kernel ? *facts.kernel : *instruction.getFunction();
  Module& module = *const_cast<Module*>(kernel.getParent());
  LLVMContext& context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  const auto [file, line, column] = place_of(instruction);
  const StringRef source = file ? file->getSource().value_or("") : "";

  std::uint64_t object_bytes = 0;
  std::int32_t argument = -1;
  const DataLayout& layout = module.getDataLayout();
  if (const auto* parameter = dyn_cast_or_null<Argument>(facts.root))
    argument = static_cast<std::int32_t>(parameter->getArgNo());
  else if (const auto* variable = dyn_cast_or_null<AllocaInst>(facts.root))
    object_bytes = layout.getTypeAllocSize(variable->getAllocatedType());
  else if (const auto* variable = dyn_cast_or_null<GlobalVariable>(facts.root))
    object_bytes = layout.getTypeAllocSize(variable->getValueType());

  auto number = [&](Type* type, std::uint64_t value) { return ConstantInt::get(type, value); };
  Constant* site = ConstantStruct::getAnon(
      {text(module, name_of(facts.check)), text(module, kernel.getName()),
       text(module, file ? file->getFilename() : ""), text(module, line ? line_of(source, line) : ""),
       text(module, facts.root ? written_name(*facts.root) : ""), text(module, facts.sentence),
       number(i64, object_bytes), number(i64, facts.bytes), number(i32, line), number(i32, column),
       number(i32, static_cast<std::uint32_t>(argument)),
       number(i32, static_cast<std::uint32_t>(facts.access)), number(i32, facts.tells_position),
       number(i32, 0), facts.other ? facts.other : ConstantPointerNull::get(PointerType::get(context, 0))});
  static_assert(sizeof(abi::CheckSite) == 6 * 8 + 2 * 8 + 6 * 4 + 8);
  return new GlobalVariable(module, site->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, site,
                            "hostcl.site");
}

SmallVector<Value*, 8> work_item_ids(IRBuilder<>& builder) {
  Module& module = *builder.GetInsertBlock()->getModule();
  SmallVector<Value*, 8> ids;
  for (Intrinsic id : {Intrinsic::local_id, Intrinsic::group_id})
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      ids.push_back(builder.CreateCall(declare_intrinsic(module, id), {builder.getInt32(dimension)}));
  return ids;
}

bool is_report(const User& user) {
  const auto* call = dyn_cast<CallBase>(&user);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == report_name;
}

void report(IRBuilder<>& builder, Value* what, Constant* site) {
  Module& module = *builder.GetInsertBlock()->getModule();
  SmallVector<Value*, 8> operands{what};
  append_range(operands, work_item_ids(builder));
  SmallVector<Type*, 8> types(7, builder.getInt64Ty());
  types.push_back(site->getType());
  operands.push_back(site);
  FunctionCallee service =
      module.getOrInsertFunction(report_name, FunctionType::get(builder.getVoidTy(), types, false));
  auto* function = cast<Function>(service.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  builder.CreateCall(service, operands);
}

void report_if(Value* wrong, Instruction& instruction, Constant* site) {
  MDNode* weights = MDBuilder(instruction.getContext()).createUnlikelyBranchWeights();
  Instruction* reported = SplitBlockAndInsertIfThen(wrong, instruction.getIterator(), false, weights);
  IRBuilder<> builder(reported);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  report(builder, builder.getInt64(0), site);
}

void perform_if(Value* right, Instruction& instruction, function_ref<Value*(IRBuilder<>&)> what,
                Constant* site) {
  Instruction *performed = nullptr, *reported = nullptr;
  MDNode* weights = MDBuilder(instruction.getContext()).createLikelyBranchWeights();
  SplitBlockAndInsertIfThenElse(right, &instruction, &performed, &reported, weights);
  BasicBlock* next = instruction.getParent();
  instruction.moveBefore(performed->getIterator());
  IRBuilder<> builder(reported);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  report(builder, what(builder), site);
  if (instruction.getType()->isVoidTy()) return;
  builder.SetInsertPoint(next, next->begin());
  PHINode* value = builder.CreatePHI(instruction.getType(), 2);
  instruction.replaceAllUsesWith(value);
  value->addIncoming(&instruction, performed->getParent());
  value->addIncoming(Constant::getNullValue(instruction.getType()), reported->getParent());
}

} // namespace hostcl::compiler
