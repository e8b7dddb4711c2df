#include "compiler/ir/intrinsics.hpp"

#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The types that intrinsics have as results or parameters: none, integers, and pointers, named by their space.
enum class Kind { none, i1, i32, i64, host, constant, local, generic };

struct Row {
  StringRef name;
  Kind result, parameter;
};

/// In the order of the enumerators.
constexpr Row rows[] = {
#define INTRINSIC(NAME, RESULT, PARAMETER) {"__hostcl_" #NAME, Kind::RESULT, Kind::PARAMETER},
#include "compiler/ir/intrinsics.def"
#undef INTRINSIC
};

constexpr StringRef lane_mask_name = "__hostcl_lane_mask";
constexpr StringRef coverage_count_name = "__hostcl_coverage_count";
constexpr StringRef coverage_mark_name = "__hostcl_coverage_mark";

void annotate(Function& function, Intrinsic intrinsic) {
  function.setDoesNotThrow();
  if (intrinsic == Intrinsic::barrier) {
    function.setConvergent();
    return;
  }
  function.setWillReturn();
  if (intrinsic == Intrinsic::coverage_count || intrinsic == Intrinsic::coverage_mark) {
    function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    function.addFnAttr(
        Attribute::NoMerge); // a merged call would have a variable instead of a counter's number
    return;
  }
  function.setDoesNotAccessMemory();
  if (intrinsic == Intrinsic::sub_group) {
    function.setConvergent();
    return;
  }
  function.removeFnAttr(Attribute::Convergent);
  function.addFnAttr(Attribute::Speculatable);
}

Type* type_of(LLVMContext& context, Kind kind) {
  switch (kind) {
  case Kind::none:
    return Type::getVoidTy(context);
  case Kind::i1:
    return Type::getInt1Ty(context);
  case Kind::i32:
    return Type::getInt32Ty(context);
  case Kind::i64:
    return Type::getInt64Ty(context);
  case Kind::host:
    return PointerType::getUnqual(context);
  case Kind::constant:
    return PointerType::get(context, constant_space);
  case Kind::local:
    return PointerType::get(context, local_space);
  case Kind::generic:
    return PointerType::get(context, generic_space);
  }
  return nullptr;
}

Function* declare(Module& module, Intrinsic intrinsic, StringRef name, FunctionType* type) {
  auto* function = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  annotate(*function, intrinsic);
  return function;
}

} // namespace

std::optional<Intrinsic> intrinsic_of(const Function& function) {
  StringRef name = function.getName();
  if (!name.starts_with("__hostcl_")) return std::nullopt;
  for (const auto& [number, row] : enumerate(rows))
    if (row.name == name) return static_cast<Intrinsic>(number);
  if (sub_group_operation(function)) return Intrinsic::sub_group;
  if (name == coverage_count_name) return Intrinsic::coverage_count;
  if (name.consume_front(coverage_mark_name) && (name.empty() || name.starts_with(".")))
    return Intrinsic::coverage_mark;
  if (name.consume_front(lane_mask_name) && (name.empty() || name.starts_with(".")))
    return Intrinsic::lane_mask;
  return std::nullopt;
}

std::optional<Intrinsic> called_intrinsic(const Value& value) {
  const auto* call = dyn_cast<CallBase>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? intrinsic_of(*callee) : std::nullopt;
}

bool is_call_of(const Value& value, Intrinsic intrinsic) {
  return called_intrinsic(value) == intrinsic;
}

bool counts_executions(const Value& value) {
  const auto intrinsic = called_intrinsic(value);
  return intrinsic == Intrinsic::coverage_count || intrinsic == Intrinsic::coverage_mark;
}

bool is_dimension_query(const Value& value) {
  return called_intrinsic(value).value_or(Intrinsic::barrier) <= Intrinsic::group_count;
}

unsigned dimension_of(const CallBase& call) {
  return static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
}

Function* declare_intrinsic(Module& module, Intrinsic intrinsic) {
  const Row& row = rows[static_cast<std::size_t>(intrinsic)];
  SmallVector<Type*, 1> parameters;
  if (row.parameter != Kind::none) parameters.push_back(type_of(module.getContext(), row.parameter));
  auto* type = FunctionType::get(type_of(module.getContext(), row.result), parameters, false);
  return declare(module, intrinsic, row.name, type);
}

Function* declare_coverage_intrinsic(Module& module, Intrinsic intrinsic, Type* operand) {
  LLVMContext& context = module.getContext();
  std::string name(intrinsic == Intrinsic::coverage_count ? coverage_count_name : coverage_mark_name);
  if (const auto* vector = dyn_cast<FixedVectorType>(operand))
    name += formatv(".v{0}i{1}", vector->getNumElements(), vector->getScalarSizeInBits());
  return declare(module, intrinsic, name,
                 FunctionType::get(Type::getVoidTy(context), {Type::getInt32Ty(context), operand}, false));
}

Function* declare_lane_mask(Module& module, unsigned width) {
  auto* type = FunctionType::get(FixedVectorType::get(Type::getInt1Ty(module.getContext()), width), false);
  std::string name(lane_mask_name);
  const Function* declared = module.getFunction(name);
  if (declared && declared->getFunctionType() != type) name += "." + std::to_string(width);
  return declare(module, Intrinsic::lane_mask, name, type);
}

/// Only these attributes: with `noundef`, an undefined argument would be undefined behaviour, although the call may be
/// speculated.
void annotate_maths(Function& function) {
  function.setAttributes(AttributeList());
  annotate(function, Intrinsic::work_dim); // as any that depends on its arguments alone
  function.addFnAttr(Attribute::NoMerge);
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallBase>(user)) call->setAttributes(AttributeList());
}

void annotate_intrinsics(Module& module) {
  for (Function& function : module) {
    if (auto intrinsic = intrinsic_of(function)) annotate(function, *intrinsic);
    if (maths_instruction_of(function)) annotate_maths(function);
  }
}

} // namespace hostcl::compiler
