// Reads instructions for images and samplers, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr std::uint32_t signed_int8 = 0x10d7, signed_int16 = 0x10d8;

TypedValue image_operand(Reader& r, Id id) {
  return r.of_kind(id, Kind::image);
}

/// The optional operands of reads and writes (section 3.14).
struct ImageOperands {
  std::optional<TypedValue> level;
  TypedValue gradient_x, gradient_y; ///< both are set or neither is
  bool extends_sign = false, extends_zero = false;
};

ImageOperands read_operands(Reader& r, Operands& in) {
  const std::uint32_t no_effect = spv::ImageOperandsNonPrivateTexelMask |
                                  spv::ImageOperandsVolatileTexelMask | spv::ImageOperandsNontemporalMask;
  ImageOperands operands;
  std::uint32_t mask = in.empty() ? 0 : in.word();
  auto take = [&](std::uint32_t bit) {
    const bool is_set = mask & bit;
    mask &= ~bit;
    return is_set;
  };
  if (take(spv::ImageOperandsLodMask)) operands.level = r.operand(in.id());
  if (take(spv::ImageOperandsGradMask)) {
    operands.gradient_x = r.floating(in.id());
    operands.gradient_y = r.floating(in.id());
  }
  if (take(spv::ImageOperandsMakeTexelAvailableMask)) in.id();
  if (take(spv::ImageOperandsMakeTexelVisibleMask)) in.id();
  operands.extends_sign = take(spv::ImageOperandsSignExtendMask);
  operands.extends_zero = take(spv::ImageOperandsZeroExtendMask);
  if (mask & ~no_effect)
    refuse("the image operands 0x" + Twine::utohexstr(mask & ~no_effect) + " are not supported in kernels");
  return operands;
}

/// An argument that is an int or a float, or a vector of them.
Argument numbers_argument(Value* value) {
  auto* vector = dyn_cast<FixedVectorType>(value->getType());
  return {value,
          {.name = (vector ? "Dv" + std::to_string(vector->getNumElements()) + "_" : "") +
                   (value->getType()->isFPOrFPVectorTy() ? 'f' : 'i')}};
}

Value* query(Reader& r, StringRef function, const TypedValue& image, unsigned bits = 32) {
  return call_library(r, function, r.ir().getIntNTy(bits), {argument(image)});
}

unsigned axes(const Type& image) {
  return image.dim == spv::Dim3D ? 3 : image.dim == spv::Dim2D ? 2 : 1;
}

/// Returns the first components of a value as functions take them: three are in a vector of four.
Value* first_components(Reader& r, const TypedValue& value, unsigned count) {
  llvm::Type* scalar = value.type->scalar().ir;
  if (!scalar->isIntegerTy(32) && !scalar->isFloatTy())
    refuse("coordinates are neither 32-bit integers nor floats");
  const unsigned given = value.type->is(Kind::vector) ? value.type->count : 1;
  if (given < count) refuse("there are fewer coordinates than the image has dimensions");
  const unsigned wanted = count == 3 ? 4 : count;
  if (given == wanted) return value.value;
  if (wanted == 1) return r.ir().CreateExtractElement(value.value, std::uint64_t(0));
  Value* vector = Constant::getNullValue(FixedVectorType::get(scalar, wanted));
  for (std::uint64_t i = 0; i < count; ++i)
    vector = r.ir().CreateInsertElement(vector, r.ir().CreateExtractElement(value.value, i), i);
  return vector;
}

/// Returns the coordinates of a texel, and after them the layer if the image is an array.
Value* coordinates(Reader& r, const Type& image, Id id) {
  return first_components(r, r.operand(id), axes(image) + image.is_array);
}

/// What the functions for an image read or write.
struct Texel {
  const char* suffix;
  llvm::Type* type;
  bool is_integer;
};

/// @param type type of the texel in SPIR-V; even a depth may be a vector
Texel texel_of(Reader& r, const Type& image, const Type& type, const ImageOperands& operands) {
  llvm::Type* scalar = type.scalar().ir;
  if (image.is_depth) {
    if (!scalar->isFloatTy()) refuse("a depth is not a float");
    return {"f", scalar, false};
  }
  if (!type.is(Kind::vector) || type.count != 4) refuse("a texel is not a vector of four components");
  if (scalar->isFloatTy()) return {"f", type.ir, false};
  if (scalar->isHalfTy()) return {"h", type.ir, false};
  if (!scalar->isIntegerTy(32)) refuse("texels have no components of that type");
  return {operands.extends_sign ? "i" : "ui", type.ir, true};
}

/// Returns how many bits a component must be shifted left so that its sign is the highest bit, or 0 if the
/// format has no sign. It is used if no operand says how to extend components, so that the format decides.
Value* sign_shift(Reader& r, const TypedValue& image) {
  IRBuilder<>& ir = r.ir();
  Value* type = query(r, "get_image_channel_data_type", image);
  Value* of_words =
      ir.CreateSelect(ir.CreateICmpEQ(type, ir.getInt32(signed_int16)), ir.getInt32(16), ir.getInt32(0));
  return ir.CreateSelect(ir.CreateICmpEQ(type, ir.getInt32(signed_int8)), ir.getInt32(24), of_words);
}

Value* sign_extended(Reader& r, const TypedValue& image, Value* texel) {
  Value* shift = r.ir().CreateVectorSplat(4, sign_shift(r, image));
  return r.ir().CreateAShr(r.ir().CreateShl(texel, shift), shift);
}

/// Returns what the function for unsigned integers must write. If the format has a sign, the numbers are
/// saturated as signed numbers.
Value* sign_saturated(Reader& r, const TypedValue& image, Value* texel) {
  IRBuilder<>& ir = r.ir();
  Value* shift = ir.CreateVectorSplat(4, sign_shift(r, image));
  llvm::Type* type = texel->getType();
  Value* greatest = ir.CreateLShr(ConstantInt::get(type, 0x7fffffff), shift);
  Value* inside = ir.CreateBinaryIntrinsic(Intrinsic::smin, texel, greatest);
  inside = ir.CreateBinaryIntrinsic(Intrinsic::smax, inside, ir.CreateNot(greatest));
  Value* bits = ir.CreateAnd(inside, ir.CreateLShr(Constant::getAllOnesValue(type), shift));
  return ir.CreateSelect(ir.CreateICmpEQ(shift, Constant::getNullValue(type)), texel, bits);
}

/// Makes the call that reads a texel. If the result of reading a depth image is a vector, the depth is its first
/// component.
Value* read_texel(Reader& r, const Type& type, const TypedValue& image, const ImageOperands& operands,
                  ArrayRef<Argument> arguments) {
  const Texel texel = texel_of(r, *image.type, type, operands);
  Value* value = call_library(r, std::string("read_image") + texel.suffix, texel.type, arguments);
  if (texel.is_integer && !operands.extends_sign && !operands.extends_zero)
    value = sign_extended(r, image, value);
  if (image.type->is_depth && type.is(Kind::vector))
    value = r.ir().CreateInsertElement(Constant::getNullValue(type.ir), value, std::uint64_t(0));
  return value;
}

bool is_zero(const TypedValue& value) {
  auto* constant = dyn_cast<Constant>(value.value);
  return constant && constant->isNullValue();
}

/// Adds the level, or the gradients that choose a level. For level 0 nothing is added: functions without a
/// level read this level.
void add_level(Reader& r, SmallVectorImpl<Argument>& arguments, const Type& image,
               const ImageOperands& operands) {
  if (operands.gradient_x.value) {
    arguments.push_back(numbers_argument(first_components(r, operands.gradient_x, axes(image))));
    arguments.push_back(numbers_argument(first_components(r, operands.gradient_y, axes(image))));
  } else if (operands.level && !is_zero(*operands.level)) {
    arguments.push_back(argument(*operands.level, /*is_signed=*/true));
  }
}

const SampledImage& sampled_image(Reader& r, Id id) {
  return entry(r.sampled_images, id, "a sampled image");
}

} // namespace

void read_sampled_image(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  if (!type.is(Kind::sampled_image)) refuse("the result is not a sampled image");
  const TypedValue image = image_operand(r, in.id()), sampler = r.of_kind(in.id(), Kind::sampler);
  if (image.type != type.element) refuse("the image is not of the sampled image's type");
  r.sampled_images[result] = {image, sampler};
}

Value* read_image_of_sampled(Reader& r, const Type&, Operands in) {
  return sampled_image(r, in.id()).image.value;
}

Value* read_image_sample(Reader& r, const Type& type, Operands in) {
  const auto [image, sampler] = sampled_image(r, in.id());
  Value* place = coordinates(r, *image.type, in.id());
  const ImageOperands operands = read_operands(r, in);
  SmallVector<Argument, 5> arguments = {argument(image), argument(sampler), numbers_argument(place)};
  add_level(r, arguments, *image.type, operands);
  return read_texel(r, type, image, operands, arguments);
}

Value* read_image_read(Reader& r, const Type& type, Operands in) {
  const TypedValue image = image_operand(r, in.id());
  Value* place = coordinates(r, *image.type, in.id());
  const ImageOperands operands = read_operands(r, in);
  if (operands.level || operands.gradient_x.value) refuse("a level or gradient needs a sampler");
  return read_texel(r, type, image, operands, {argument(image), numbers_argument(place)});
}

void read_image_write(Reader& r, Operands in) {
  const TypedValue image = image_operand(r, in.id());
  Value* place = coordinates(r, *image.type, in.id());
  const TypedValue value = r.operand(in.id());
  const ImageOperands operands = read_operands(r, in);
  if (operands.gradient_x.value) refuse("a write cannot have a gradient");
  const Texel texel = texel_of(r, *image.type, *value.type, operands);
  Value* written = value.value;
  if (image.type->is_depth && value.type->is(Kind::vector))
    written = r.ir().CreateExtractElement(written, std::uint64_t(0));
  if (texel.is_integer && !operands.extends_sign && !operands.extends_zero)
    written = sign_saturated(r, image, written);
  SmallVector<Argument, 5> arguments = {argument(image), numbers_argument(place)};
  add_level(r, arguments, *image.type, operands);
  const Type& numbers = image.type->is_depth ? value.type->scalar() : *value.type;
  arguments.push_back(argument({written, &numbers}, operands.extends_sign));
  call_library(r, std::string("write_image") + texel.suffix, r.ir().getVoidTy(), arguments);
}

/// Reads queries that have no operand but the image.
/// @param function that answers the query
/// @param first OpenCL's number for SPIR-V's number 0; the others follow in SPIR-V's order (sections 3.12 and
/// 3.13 of its specification)
Value* read_image_query(Reader& r, const Type&, Operands in, const char* function, int first) {
  Value* number = query(r, function, image_operand(r, in.id()));
  return first == 0 ? number : r.ir().CreateSub(number, r.ir().getInt32(first));
}

namespace {

/// Returns the size along an axis, or the number of layers if `axis` is the number of axes.
Value* image_size(Reader& r, const TypedValue& image, unsigned axis) {
  constexpr const char* functions[] = {"get_image_width", "get_image_height", "get_image_depth"};
  if (axis < axes(*image.type)) return query(r, functions[axis], image);
  return r.ir().CreateTrunc(query(r, "get_image_array_size", image, 64), r.ir().getInt32Ty());
}

/// Each level is half as large as the one before it, but at least 1.
Value* size_of_level(Reader& r, Value* size, Value* level) {
  Value* halved = r.ir().CreateLShr(size, level);
  return r.ir().CreateBinaryIntrinsic(Intrinsic::umax, halved, r.ir().getInt32(1));
}

} // namespace

/// Reads OpImageQuerySize and OpImageQuerySizeLod, which asks for a level.
Value* read_image_size(Reader& r, const Type& type, Operands in) {
  const TypedValue image = image_operand(r, in.id());
  std::optional<TypedValue> level;
  if (in.op() == spv::OpImageQuerySizeLod) level = r.scalar_integer(in.id());
  const unsigned count = axes(*image.type) + image.type->is_array;
  if (!type.scalar().is(Kind::integer) || (type.is(Kind::vector) ? type.count : 1) != count)
    refuse("the result does not have one integer for each size");
  Value* sizes = PoisonValue::get(type.ir);
  for (unsigned i = 0; i < count; ++i) {
    Value* size = image_size(r, image, i);
    if (level && !is_zero(*level) && i < axes(*image.type))
      size = size_of_level(r, size, r.ir().CreateZExtOrTrunc(level->value, r.ir().getInt32Ty()));
    size = r.ir().CreateZExtOrTrunc(size, type.scalar().ir);
    sizes = type.is(Kind::vector) ? r.ir().CreateInsertElement(sizes, size, std::uint64_t(i)) : size;
  }
  return sizes;
}

} // namespace hostcl::compiler::spirv
