#include "compiler/ir/maths_instructions.hpp"

#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringRef prefix = "__hostcl_maths_";

/// In the order of MathsInstruction.
constexpr StringLiteral names[] = {"exponent", "significand", "scale", "reciprocal", "rsqrt", "entry"};

/// "f32" for float, "v4f64" for a vector of four doubles.
std::string suffix_of(const Type& type) {
  const auto* vector = dyn_cast<FixedVectorType>(&type);
  return (vector ? "v" + Twine(vector->getNumElements()) : Twine()).str() + "f" +
         std::to_string(type.getScalarSizeInBits());
}

/// The type of the function for an instruction with this result; null if the result's elements are not float or double.
FunctionType* type_of(MathsInstruction instruction, Type& result) {
  if (!result.getScalarType()->isFloatTy() && !result.getScalarType()->isDoubleTy()) return nullptr;
  LLVMContext& context = result.getContext();
  SmallVector<Type*, 3> parameters{&result};
  if (instruction == MathsInstruction::scale) parameters.push_back(&result);
  if (instruction == MathsInstruction::entry)
    parameters = {result.getWithNewType(Type::getIntNTy(context, result.getScalarSizeInBits())),
                  PointerType::get(context, constant_space), Type::getInt32Ty(context)};
  return FunctionType::get(&result, parameters, false);
}

/// table[index modulo the number of entries], element by element.
Value* load_entry(CallBase& call) {
  IRBuilder<> build(&call);
  Value *index = call.getArgOperand(0), *table = call.getArgOperand(1), *entries = call.getArgOperand(2);
  Type* element = call.getType()->getScalarType();
  auto load = [&](Value* one) {
    one = build.CreateAnd(one, build.CreateZExt(build.CreateSub(entries, build.getInt32(1)), one->getType()));
    return build.CreateLoad(element, build.CreateInBoundsGEP(element, table, one));
  };
  auto* type = dyn_cast<FixedVectorType>(call.getType());
  if (!type) return load(index);
  Value* result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    result = build.CreateInsertElement(result, load(build.CreateExtractElement(index, i)), i);
  return result;
}

} // namespace

std::optional<MathsInstruction> maths_instruction_of(const Function& function) {
  StringRef name = function.getName();
  if (!function.isDeclaration() || !name.consume_front(prefix)) return std::nullopt;
  const auto* found = find(names, name.split('.').first);
  if (found == std::end(names)) return std::nullopt;
  const auto instruction = static_cast<MathsInstruction>(found - names);
  return function.getFunctionType() == type_of(instruction, *function.getReturnType())
             ? std::optional(instruction)
             : std::nullopt;
}

std::optional<MathsInstruction> called_maths_instruction(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee ? maths_instruction_of(*callee) : std::nullopt;
}

bool is_scalar_operand(MathsInstruction instruction, unsigned operand) {
  return instruction == MathsInstruction::entry && operand > 0;
}

Function* declare_maths_instruction(MathsInstruction instruction, Function& like, Type* result) {
  const std::string name = (like.getName().split('.').first + "." + suffix_of(*result)).str();
  auto* function =
      cast<Function>(like.getParent()->getOrInsertFunction(name, type_of(instruction, *result)).getCallee());
  function->setAttributes(like.getAttributes());
  function->setCallingConv(like.getCallingConv());
  return function;
}

void answer_question(llvm::Module& module, StringRef question, bool answer) {
  Function* asked = module.getFunction(question);
  if (!asked || !asked->isDeclaration() || !asked->getReturnType()->isIntegerTy(1)) return;
  for (User* user : make_early_inc_range(asked->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != asked) continue;
    call->replaceAllUsesWith(ConstantInt::getBool(call->getType(), answer));
    call->eraseFromParent();
  }
}

void choose_maths_instructions(llvm::Module& module, bool has_float_parts) {
  answer_question(module, "__hostcl_maths_has_float_parts", has_float_parts);
  if (has_float_parts) return;
  for (Function& function : module) {
    if (maths_instruction_of(function) != MathsInstruction::entry) continue;
    for (User* user : make_early_inc_range(function.users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (!call || !called_maths_instruction(*call)) continue;
      call->replaceAllUsesWith(load_entry(*call));
      call->eraseFromParent();
    }
  }
}

} // namespace hostcl::compiler
