#include "compiler/passes/checks/findings.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/pointers.hpp"
#include "compiler/values/source_places.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral report_name = "__hostcl_report";

/// The kernel that a module is compiled for; null if there is none.
Function* kernel_in(Module& module) {
  Function* kernel = nullptr;
  for (Function& function : module)
    if (is_kernel_body(function) && function.hasExternalLinkage()) kernel = &function;
  return kernel;
}

/// The kernel to which an instruction belongs: before the library is linked, the module's only kernel, also for
/// instructions of functions that it calls.
const Function& kernel_around(const Instruction& instruction) {
  const Function& function = *instruction.getFunction();
  if (is_kernel_body(function) && function.hasExternalLinkage()) return *kernel_of_form(function);
  const Function* kernel = kernel_in(*const_cast<Module*>(function.getParent()));
  return kernel ? *kernel_of_form(*kernel) : function;
}

} // namespace

StringRef written_name(const Value& value) {
  StringRef name = value.getName();
  if (isa<GlobalVariable>(value)) return name.contains('.') ? name.rsplit('.').second : name;
  return name.split('.').first;
}

Constant* site_of(const Instruction& instruction, const SiteProperties& properties) {
  const Function& kernel = kernel_around(instruction);
  Module& module = *const_cast<Module*>(kernel.getParent());
  LLVMContext& context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  const SourcePlace place = source_place(instruction);

  const Value* root = properties.root;
  const std::uint64_t object_bytes = root ? size_of_variable(*root).value_or(0) : 0;
  const auto* parameter = dyn_cast_or_null<Argument>(root);
  const std::uint32_t argument = parameter ? parameter->getArgNo() : ~0U;
  auto number = [&](Type* type, std::uint64_t value) { return ConstantInt::get(type, value); };
  Constant* site = ConstantStruct::getAnon(
      {text_in(module, name_of(properties.check)), text_in(module, kernel.getName()),
       text_in(module, place.file_name()), text_in(module, place.source_line()),
       text_in(module, root ? written_name(*root) : ""), text_in(module, properties.sentence),
       number(i64, object_bytes), number(i64, properties.bytes), number(i32, place.line),
       number(i32, place.column), number(i32, argument),
       number(i32, static_cast<std::uint32_t>(properties.access)), number(i32, properties.tells_position),
       number(i32, properties.must_be_uniform), number(i32, kernel.arg_size()), number(i32, 0),
       properties.other ? properties.other : ConstantPointerNull::get(PointerType::getUnqual(context))});
  static_assert(sizeof(abi::CheckSite) == 6 * 8 + 2 * 8 + 8 * 4 + 8);
  return new GlobalVariable(module, site->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, site,
                            metadata::site);
}

Constant* site_of(const Instruction& instruction, Check check, const Twine& sentence, bool must_be_uniform) {
  const std::string text = sentence.str();
  return site_of(instruction, {.check = check, .sentence = text, .must_be_uniform = must_be_uniform});
}

SmallVector<Instruction*, 0> instructions_in(Module& module) {
  SmallVector<Instruction*, 0> all;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      all.push_back(&instruction);
  return all;
}

PreservedAnalyses check_instructions(Module& module, function_ref<void(Instruction&)> check) {
  if (!kernel_in(module)) return PreservedAnalyses::all();
  for (Instruction* instruction : instructions_in(module))
    check(*instruction);
  return PreservedAnalyses::none();
}

SmallVector<Value*, 8> work_item_ids(IRBuilder<>& builder) {
  SmallVector<Value*, 8> ids;
  for (Intrinsic id : {Intrinsic::local_id, Intrinsic::group_id})
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      ids.push_back(call_intrinsic(builder, id, dimension));
  return ids;
}

Value* or_of_lanes(IRBuilder<>& builder, Value* value) {
  const auto* vector = dyn_cast<FixedVectorType>(value->getType());
  Value* all = vector ? builder.CreateExtractElement(value, std::uint64_t{0}) : value;
  for (unsigned i = 1; vector && i < vector->getNumElements(); ++i)
    all = builder.CreateOr(all, builder.CreateExtractElement(value, i));
  return all;
}

bool is_report(const User& user) {
  return called_function(user) == report_name;
}

bool leads_to_report(const BranchInst& branch) {
  return any_of(branch.successors(), [](const BasicBlock* block) {
    return block->getSinglePredecessor() && any_of(*block, is_report);
  });
}

void report(IRBuilder<>& builder, Value* what, Constant* site) {
  SmallVector<Value*, 8> operands{what};
  append_range(operands, work_item_ids(builder));
  operands.push_back(site);
  call_host(builder, report_name, builder.getVoidTy(), operands);
}

void report_if(Value* wrong, Instruction& instruction, Constant* site) {
  MDNode* weights = MDBuilder(instruction.getContext()).createUnlikelyBranchWeights();
  Instruction* reported = SplitBlockAndInsertIfThen(wrong, instruction.getIterator(), false, weights);
  IRBuilder<> builder(reported);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  report(builder, builder.getInt64(0), site);
}

PHINode* perform_if(Value* right, Instruction& instruction, function_ref<Value*(IRBuilder<>&)> what,
                    Constant* site) {
  Instruction *performed = nullptr, *reported = nullptr;
  MDNode* weights = MDBuilder(instruction.getContext()).createLikelyBranchWeights();
  SplitBlockAndInsertIfThenElse(right, &instruction, &performed, &reported, weights);
  BasicBlock* next = instruction.getParent();
  instruction.moveBefore(performed->getIterator());
  IRBuilder<> builder(reported);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  report(builder, what(builder), site);
  if (instruction.getType()->isVoidTy()) return nullptr;
  builder.SetInsertPoint(next, next->begin());
  PHINode* value = builder.CreatePHI(instruction.getType(), 2);
  instruction.replaceAllUsesWith(value);
  value->addIncoming(&instruction, performed->getParent());
  value->addIncoming(Constant::getNullValue(instruction.getType()), reported->getParent());
  return value;
}

} // namespace hostcl::compiler
