// Reads conversions between numbers, and between numbers and pointers.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/bfloat.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"
#include "compiler/passes/spaces.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// The kinds that an instruction converts between, and whether their bits have a sign.
struct Conversion {
  Kind from, to;
  bool from_signed, to_signed;
};

Conversion conversion(spv::Op op) {
  switch (op) {
  case spv::OpConvertFToU:
    return {Kind::floating, Kind::integer, true, false};
  case spv::OpConvertFToS:
    return {Kind::floating, Kind::integer, true, true};
  case spv::OpConvertSToF:
    return {Kind::integer, Kind::floating, true, true};
  case spv::OpConvertUToF:
    return {Kind::integer, Kind::floating, false, true};
  case spv::OpFConvert:
    return {Kind::floating, Kind::floating, true, true};
  case spv::OpSConvert:
    return {Kind::integer, Kind::integer, true, true};
  case spv::OpUConvert:
    return {Kind::integer, Kind::integer, false, false};
  case spv::OpSatConvertSToU:
    return {Kind::integer, Kind::integer, true, false};
  default: // OpSatConvertUToS
    return {Kind::integer, Kind::integer, false, true};
  }
}

/// Calls the library's conversion, which can saturate and round.
Value* convert_by_library(Reader& r, const Type& type, const TypedValue& from, const Conversion& kinds,
                          bool saturates, const char* rounding) {
  const std::string name =
      "convert_" + type_name(type, kinds.to_signed) + (saturates ? "_sat" : "") + rounding;
  return r.call(MangledName(name).add(*from.type, kinds.from_signed).str(), type.ir, {from.value});
}

Value* convert(IRBuilder<>& ir, const Type& type, Value* from, const Conversion& kinds) {
  if (kinds.from == Kind::integer && kinds.to == Kind::integer)
    return ir.CreateIntCast(from, type.ir, kinds.from_signed);
  if (kinds.from == Kind::floating && kinds.to == Kind::floating) return ir.CreateFPCast(from, type.ir);
  if (kinds.to == Kind::integer)
    return kinds.to_signed ? ir.CreateFPToSI(from, type.ir) : ir.CreateFPToUI(from, type.ir);
  return kinds.from_signed ? ir.CreateSIToFP(from, type.ir) : ir.CreateUIToFP(from, type.ir);
}

} // namespace

bool has_shape_of(const Type& a, const Type& b) {
  return a.is(Kind::vector) == b.is(Kind::vector) && a.count == b.count;
}

void read_conversion(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  TypedValue from = r.operand(in.id());
  const Conversion kinds = conversion(in.op());
  const auto rounding = r.decorations().number(result, spv::DecorationFPRoundingMode);
  const bool saturates = in.op() == spv::OpSatConvertSToU || in.op() == spv::OpSatConvertUToS ||
                         r.decorations().has(result, spv::DecorationSaturatedConversion);
  const bool to_bfloat = type.scalar().is(Kind::bfloat);
  if (from.type->scalar().is(Kind::bfloat)) from = float_of_bfloat(r, from);
  const Type& made = to_bfloat ? r.floats_like(type) : type;
  if (!from.type->scalar().is(kinds.from) || !made.scalar().is(kinds.to) || !has_shape_of(made, *from.type))
    refuse("the operand or the result is not of the conversion's kind");
  const auto by_library = [&](const char* mode) {
    return convert_by_library(r, made, from, kinds, saturates, mode);
  };
  Value* value = nullptr;
  if (to_bfloat) {
    if (rounding && *rounding != spv::FPRoundingModeRTE) refuse("bfloat16 is rounded to nearest even alone");
    const Conversion back{kinds.to, kinds.from, kinds.to_signed, kinds.from_signed};
    value = bfloat_of(
        r, from, made, [&] { return by_library("_rtz"); },
        [&](Value* made_value) { return convert(r.ir(), *from.type, made_value, back); });
  } else {
    value = rounding || saturates ? by_library(rounding ? rounding_name(*rounding) : "")
                                  : convert(r.ir(), type, from.value, kinds);
  }
  r.define(result, type, value);
}

/// Converts to half and back: the value is as precise as if it had been stored as a half.
void read_quantize(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  if (!type.scalar().is(Kind::floating)) refuse("the result is not a floating-point number");
  Value* value = r.of_type(in.id(), type);
  llvm::Type* half = type.ir->getWithNewType(llvm::Type::getHalfTy(r.context()));
  r.define(result, type, r.ir().CreateFPCast(r.ir().CreateFPCast(value, half), type.ir));
}

void read_bitcast(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  const TypedValue from = r.operand(in.id());
  llvm::Type *source = from.type->ir, *target = type.ir;
  IRBuilder<>& ir = r.ir();
  if (source == target) return r.define(result, type, from.value);
  if (source->isPointerTy() && target->isPointerTy()) refuse("the pointers are of different address spaces");
  // Pointers have 64 bits, so they are converted through an integer of 64 bits.
  Value* value = source->isPtrOrPtrVectorTy()
                     ? ir.CreatePtrToInt(from.value, source->getWithNewType(ir.getInt64Ty()))
                     : from.value;
  llvm::Type* bits = target->isPtrOrPtrVectorTy() ? target->getWithNewType(ir.getInt64Ty()) : target;
  if (!CastInst::castIsValid(llvm::Instruction::BitCast, value->getType(), bits))
    refuse("the operand and the result have different sizes");
  value = ir.CreateBitCast(value, bits);
  r.define(result, type, target->isPtrOrPtrVectorTy() ? ir.CreateIntToPtr(value, target) : value);
}

void read_pointer_to_integer(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  const TypedValue from = r.operand(in.id());
  if (!from.type->scalar().is(Kind::pointer) || !type.scalar().is(Kind::integer) ||
      !has_shape_of(type, *from.type))
    refuse("it does not convert a pointer to an integer");
  r.define(result, type, r.ir().CreatePtrToInt(from.value, type.ir));
}

void read_integer_to_pointer(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  const TypedValue from = r.integer(in.id());
  if (!type.scalar().is(Kind::pointer) || !has_shape_of(type, *from.type))
    refuse("it does not convert an integer to a pointer");
  r.define(result, type, r.ir().CreateIntToPtr(from.value, type.ir));
}

void read_address_space_cast(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  const TypedValue from = r.operand(in.id());
  if (!type.scalar().is(Kind::pointer) || !from.type->scalar().is(Kind::pointer) ||
      !has_shape_of(type, *from.type))
    refuse("it does not convert a pointer to a pointer");
  r.define(result, type, r.ir().CreateAddrSpaceCast(from.value, type.ir));
}

/// The result is a null pointer if the memory does not belong to the storage class.
void read_explicit_cast(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id result = in.id();
  const TypedValue from = r.pointer(in.id());
  if (!type.is(Kind::pointer)) refuse("the result is not a pointer");
  const char* function = type.storage == spv::StorageClassCrossWorkgroup ? "__to_global"
                         : type.storage == spv::StorageClassWorkgroup    ? "__to_local"
                         : type.storage == spv::StorageClassFunction     ? "__to_private"
                                                                         : nullptr;
  if (!function) refuse("generic pointers cannot be converted to that storage class");
  Value* generic = r.ir().CreateAddrSpaceCast(from.value, PointerType::get(r.context(), generic_space));
  r.define(result, type, r.call(function, type.ir, {generic}));
}

} // namespace hostcl::compiler::spirv
