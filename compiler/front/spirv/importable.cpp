// Part of functions.hpp: the LLVM intrinsics that a module may import by name. Producers that run LLVM's
// passes leave such imports.

#include "compiler/front/spirv/functions.hpp"
#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/mangling.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/modules/module_checks.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Returns whether the intrinsic is memcpy, memmove or memset. These are the only importable intrinsics that
/// access memory, because the passes of HOSTCL_CHECK can check their accesses.
bool accesses_memory(Intrinsic::ID id) {
  return id == Intrinsic::memcpy || id == Intrinsic::memmove || id == Intrinsic::memset;
}

/// Returns whether the intrinsic converts between a number and the bits of a half, which are in an integer.
bool is_half_as_bits(Intrinsic::ID id) {
  return id == Intrinsic::convert_to_fp16 || id == Intrinsic::convert_from_fp16;
}

/// A mathematical intrinsic. LLVM would call the C library for it; here the built-in library's function is
/// called.
struct Mathematics {
  Intrinsic::ID id;
  const char* function;
};

constexpr Mathematics mathematics[] = {
    {Intrinsic::acos, "acos"},   {Intrinsic::asin, "asin"},   {Intrinsic::atan, "atan"},
    {Intrinsic::atan2, "atan2"}, {Intrinsic::cos, "cos"},     {Intrinsic::cosh, "cosh"},
    {Intrinsic::exp, "exp"},     {Intrinsic::exp10, "exp10"}, {Intrinsic::exp2, "exp2"},
    {Intrinsic::ldexp, "ldexp"}, {Intrinsic::log, "log"},     {Intrinsic::log10, "log10"},
    {Intrinsic::log2, "log2"},   {Intrinsic::pow, "pow"},     {Intrinsic::powi, "pown"},
    {Intrinsic::sin, "sin"},     {Intrinsic::sinh, "sinh"},   {Intrinsic::tan, "tan"},
    {Intrinsic::tanh, "tanh"},
};

/// Converts the integer operand of llvm.powi or llvm.ldexp to int, with as many components as the other
/// operand, whose type is `base`. A value that does not fit int is clamped so that it keeps its sign and its
/// parity.
Value* exponent(Reader& r, const Type& base, const TypedValue& given) {
  auto& ir = r.ir();
  Value* value = given.value;
  llvm::Type* wide = value->getType();
  llvm::Type* ints = wide->getWithNewType(ir.getInt32Ty());
  if (wide->getScalarSizeInBits() > 32) {
    auto limit = [&](std::int64_t number) { return ConstantInt::getSigned(wide, number); };
    Value* parity = ir.CreateAnd(value, limit(1));
    value = ir.CreateBinaryIntrinsic(Intrinsic::smin, value, limit(INT32_MAX));
    value = ir.CreateBinaryIntrinsic(Intrinsic::smax, value, limit(INT32_MIN));
    value = ir.CreateOr(ir.CreateAnd(value, limit(-2)), parity);
  }
  value = ir.CreateSExtOrTrunc(value, ints);
  const bool is_one_for_all = base.is(Type::Kind::vector) && !given.type->is(Type::Kind::vector);
  return is_one_for_all ? ir.CreateVectorSplat(static_cast<unsigned>(base.count), value) : value;
}

Value* call_function(Reader& r, const char* function, const Type& type, ArrayRef<TypedValue> given) {
  SmallVector<Argument, 2> arguments;
  for (const TypedValue& each : given)
    if (each.type->scalar().is(Type::Kind::integer))
      arguments.push_back(argument({exponent(r, type, each), &r.integers_like(type)}, /*is_signed=*/true));
    else
      arguments.push_back(argument({each.value, &type}));
  return call_library(r, function, type.ir, arguments);
}

/// Rounds to an integer: to the nearest one, and halfway cases as the intrinsic `rounding` does.
Value* rounded(Reader& r, Intrinsic::ID rounding, const Type& type, Value* number) {
  Value* whole = r.ir().CreateUnaryIntrinsic(rounding, number);
  return r.ir().CreateIntrinsic(Intrinsic::fptosi_sat, {type.ir, whole->getType()}, {whole});
}

/// Returns a structure of the significand of a number and its exponent. The library's frexp() stores the
/// exponent in a variable.
Value* significand_and_exponent(Reader& r, const Type& type, const TypedValue& number) {
  const Type& ints = r.integers_like(*number.type);
  auto* address = PointerType::get(r.context(), private_space);
  const Type pointer{.kind = Type::Kind::pointer, .ir = address, .element = &ints};
  AllocaInst* place = r.new_variable(ints.ir);
  Value* significand =
      call_library(r, "frexp", number.type->ir, {argument(number), argument({place, &pointer}, true)});
  Value* exponent = r.ir().CreateLoad(ints.ir, place);
  return together(r, type, {significand, r.ir().CreateSExtOrTrunc(exponent, type.members[1]->ir)});
}

/// Splits a number into its fraction and its whole part; both have the sign of the number.
std::pair<Value*, Value*> split(Reader& r, Value* number) {
  auto& ir = r.ir();
  Value* whole = ir.CreateUnaryIntrinsic(Intrinsic::trunc, number);
  Value* rest = ir.CreateSelect(ir.createIsFPClass(number, fcInf), Constant::getNullValue(number->getType()),
                                ir.CreateFSub(number, whole));
  return {ir.CreateBinaryIntrinsic(Intrinsic::copysign, rest, number), whole};
}

} // namespace

FunctionType* intrinsic_type(FunctionType* type) {
  auto* structure = dyn_cast<StructType>(type->getReturnType());
  if (!structure || structure->isOpaque()) return type;
  return FunctionType::get(StructType::get(type->getContext(), structure->elements()), type->params(), false);
}

/// No list of intrinsics is needed: LLVM's own tables have the signature and the attributes of each
/// intrinsic. This function does not check the suffix of the name, nor that immediate operands are constants,
/// because LLVM's verifier does so later.
bool is_importable(const Function& declaration) {
  const Intrinsic::ID id = declaration.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic) return false;
  SmallVector<llvm::Type*, 4> types;
  if (!Intrinsic::getIntrinsicSignature(id, declaration.getFunctionType(), types)) return false;
  // The verifier does not check these: a reduction is either for integers or for floating-point numbers, and
  // conversions to and from the bits of a half have no vectors.
  if (is_half_as_bits(id) && any_of(types, [](const llvm::Type* type) { return type->isVectorTy(); }))
    return false;
  StringRef name = Intrinsic::getBaseName(id);
  if (name.consume_front("llvm.vector.reduce.") &&
      name.starts_with("f") != declaration.getReturnType()->isFloatingPointTy())
    return false;
  return is_trap(declaration) || accesses_memory(id) || computes_alone(declaration);
}

Value* call_mathematics(Reader& r, const Function& intrinsic, const Type& function, ArrayRef<Value*> values) {
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || values.empty()) return nullptr;
  const Type& type = *function.element;
  SmallVector<TypedValue, 4> arguments;
  for (const auto& [value, parameter] : zip_equal(values, function.members))
    arguments.push_back({value, parameter});
  auto row = llvm::find_if(mathematics, [&](const Mathematics& each) { return each.id == id; });
  if (row != std::end(mathematics)) return call_function(r, row->function, type, arguments);
  if (id == Intrinsic::lround || id == Intrinsic::llround)
    return rounded(r, Intrinsic::round, type, arguments[0].value);
  if (id == Intrinsic::lrint || id == Intrinsic::llrint)
    return rounded(r, Intrinsic::rint, type, arguments[0].value);
  // On x86 with AVX512-FP16, the code that LLVM makes for these conversions of a half does not convert NaN to
  // 0.
  if ((id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) &&
      arguments[0].value->getType()->getScalarType()->isHalfTy()) {
    llvm::Type* floats = arguments[0].value->getType()->getWithNewType(r.ir().getFloatTy());
    return r.ir().CreateIntrinsic(id, {type.ir, floats}, {r.ir().CreateFPExt(arguments[0].value, floats)});
  }
  // The code generator supports llvm.convert.to.fp16 and llvm.convert.from.fp16 only for CPUs without half
  // arithmetic, so they become fptrunc and fpext.
  llvm::Type* half = r.ir().getHalfTy();
  if (id == Intrinsic::convert_to_fp16)
    return r.ir().CreateBitCast(r.ir().CreateFPTrunc(arguments[0].value, half), type.ir);
  if (id == Intrinsic::convert_from_fp16)
    return r.ir().CreateFPExt(r.ir().CreateBitCast(arguments[0].value, half), type.ir);
  if (id == Intrinsic::frexp) return significand_and_exponent(r, type, arguments[0]);
  std::pair<Value*, Value*> pair;
  const Type& number = *arguments[0].type;
  if (id == Intrinsic::sincos)
    pair = {call_function(r, "sin", number, arguments), call_function(r, "cos", number, arguments)};
  else if (id == Intrinsic::sincospi)
    pair = {call_function(r, "sinpi", number, arguments), call_function(r, "cospi", number, arguments)};
  else if (id == Intrinsic::modf)
    pair = split(r, arguments[0].value);
  else
    return nullptr;
  return together(r, type, {pair.first, pair.second});
}

} // namespace hostcl::compiler::spirv
