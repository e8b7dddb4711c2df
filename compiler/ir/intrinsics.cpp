#include "compiler/ir/intrinsics.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

struct Row {
  StringRef name;
  Intrinsic intrinsic;
};

constexpr Row rows[] = {
    {"__hostcl_local_id", Intrinsic::local_id},
    {"__hostcl_group_id", Intrinsic::group_id},
    {"__hostcl_local_size", Intrinsic::local_size},
    {"__hostcl_enqueued_local_size", Intrinsic::enqueued_local_size},
    {"__hostcl_global_size", Intrinsic::global_size},
    {"__hostcl_global_offset", Intrinsic::global_offset},
    {"__hostcl_group_count", Intrinsic::group_count},
    {"__hostcl_work_dim", Intrinsic::work_dim},
    {"__hostcl_default_queue", Intrinsic::default_queue},
    {"__hostcl_object_low", Intrinsic::object_low},
    {"__hostcl_object_size", Intrinsic::object_size},
    {"__hostcl_barrier", Intrinsic::barrier},
    {"__hostcl_sub_group_lane", Intrinsic::sub_group_lane},
    {"__hostcl_sub_group_width", Intrinsic::sub_group_width},
    {"__hostcl_sub_group_stride", Intrinsic::sub_group_stride},
    {"__hostcl_group_scratch", Intrinsic::group_scratch},
    {"__hostcl_address_space", Intrinsic::address_space},
    {"__hostcl_image_order", Intrinsic::image_order},
    {"__hostcl_image_type", Intrinsic::image_type},
    {"__hostcl_image_is_small", Intrinsic::image_is_small},
    {"__hostcl_lane_mask", Intrinsic::lane_mask},
    {"__hostcl_local_base", Intrinsic::local_base},
    {"__hostcl_context", Intrinsic::context},
};

void annotate(Function& function, Intrinsic intrinsic) {
  function.setDoesNotThrow();
  if (intrinsic == Intrinsic::barrier) {
    function.setConvergent();
    return;
  }
  function.setDoesNotAccessMemory();
  function.setWillReturn();
  if (intrinsic == Intrinsic::sub_group) {
    function.setConvergent();
    return;
  }
  function.removeFnAttr(Attribute::Convergent);
  function.addFnAttr(Attribute::Speculatable);
}

StringRef name_of(Intrinsic intrinsic) {
  for (const Row& row : rows)
    if (row.intrinsic == intrinsic) return row.name;
  return {};
}

FunctionType* type_of(LLVMContext& context, Intrinsic intrinsic) {
  Type* i32 = Type::getInt32Ty(context);
  switch (intrinsic) {
  case Intrinsic::barrier:
    return FunctionType::get(Type::getVoidTy(context), {i32}, false);
  case Intrinsic::work_dim:
  case Intrinsic::sub_group_lane:
  case Intrinsic::sub_group_width:
  case Intrinsic::sub_group_stride:
    return FunctionType::get(i32, false);
  case Intrinsic::default_queue:
    return FunctionType::get(Type::getInt64Ty(context), false);
  case Intrinsic::group_scratch:
  case Intrinsic::local_base:
    return FunctionType::get(PointerType::get(context, local_space), false);
  case Intrinsic::address_space:
    return FunctionType::get(i32, {PointerType::get(context, generic_space)}, false);
  case Intrinsic::context:
    return FunctionType::get(PointerType::getUnqual(context), false);
  default:
    return FunctionType::get(Type::getInt64Ty(context), {i32}, false);
  }
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
  for (const Row& row : rows)
    if (row.name == name) return row.intrinsic;
  if (sub_group_operation(function)) return Intrinsic::sub_group;
  if (name.starts_with("__hostcl_lane_mask.")) return Intrinsic::lane_mask;
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

bool is_dimension_query(const Value& value) {
  switch (called_intrinsic(value).value_or(Intrinsic::barrier)) {
  case Intrinsic::local_id:
  case Intrinsic::group_id:
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
  case Intrinsic::global_size:
  case Intrinsic::global_offset:
  case Intrinsic::group_count:
    return true;
  default:
    return false;
  }
}

unsigned dimension_of(const CallBase& call) {
  return static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
}

Function* declare_intrinsic(Module& module, Intrinsic intrinsic) {
  return declare(module, intrinsic, name_of(intrinsic), type_of(module.getContext(), intrinsic));
}

Function* declare_lane_mask(Module& module, unsigned width) {
  auto* type = FunctionType::get(FixedVectorType::get(Type::getInt1Ty(module.getContext()), width), false);
  std::string name(name_of(Intrinsic::lane_mask));
  const Function* declared = module.getFunction(name);
  if (declared && declared->getFunctionType() != type) name += "." + std::to_string(width);
  return declare(module, Intrinsic::lane_mask, name, type);
}

void annotate_intrinsics(Module& module) {
  for (Function& function : module)
    if (auto intrinsic = intrinsic_of(function)) annotate(function, *intrinsic);
}

} // namespace hostcl::compiler
