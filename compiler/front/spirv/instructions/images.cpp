// Reads instructions for images and samplers, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

// OpenCL's numbers for the first channel order and the first channel type. The others follow in SPIR-V's
// order (sections 3.12 and 3.13 of its specification).
constexpr std::uint32_t first_channel_order = 0x10b0, first_channel_type = 0x10d0;
constexpr std::uint32_t signed_int8 = 0x10d7, signed_int16 = 0x10d8;

TypedValue image_operand(Reader& r, Id id) {
  const TypedValue image = r.operand(id);
  if (!image.type->is(Kind::image)) refuse("the operand is not an image");
  return image;
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

/// A call of the library to which the arguments are added one by one.
class ImageCall {
public:
  ImageCall(Reader& reader, StringRef function) : reader_(reader), name_(function) {}
  ImageCall& add(Value* value, const Parameter& parameter) {
    name_.add(parameter);
    arguments_.push_back(value);
    return *this;
  }
  ImageCall& add(const TypedValue& value) {
    return add(value.value, {.type = value.type, .is_signed = true});
  }
  /// Adds an int or a float, or a vector of them.
  ImageCall& add_numbers(Value* value) {
    const char letter = value->getType()->isFPOrFPVectorTy() ? 'f' : 'i';
    auto* vector = dyn_cast<FixedVectorType>(value->getType());
    const std::string name = (vector ? "Dv" + std::to_string(vector->getNumElements()) + "_" : "") + letter;
    return add(value, {.name = name.c_str()});
  }
  Value* make(llvm::Type* result) { return reader_.call(name_.str(), result, arguments_); }

private:
  Reader& reader_;
  MangledName name_;
  SmallVector<Value*, 6> arguments_;
};

Value* query(Reader& r, StringRef function, const TypedValue& image, llvm::Type* result) {
  return ImageCall(r, function).add(image).make(result);
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
  Value* type = query(r, "get_image_channel_data_type", image, ir.getInt32Ty());
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

/// Defines the result of a read. If a depth must be a vector, it is the first component.
void define_texel(Reader& r, Id result, const Type& type, const TypedValue& image, const Texel& texel,
                  const ImageOperands& operands, Value* value) {
  if (texel.is_integer && !operands.extends_sign && !operands.extends_zero)
    value = sign_extended(r, image, value);
  if (image.type->is_depth && type.is(Kind::vector))
    value = r.ir().CreateInsertElement(Constant::getNullValue(type.ir), value, std::uint64_t(0));
  r.define(result, type, value);
}

bool is_zero(const TypedValue& value) {
  auto* constant = dyn_cast<Constant>(value.value);
  return constant && constant->isNullValue();
}

/// Adds the level, or the gradients that choose a level. For level 0 nothing is added: functions without a
/// level read this level.
void add_level(Reader& r, ImageCall& call, const Type& image, const ImageOperands& operands) {
  if (operands.gradient_x.value) {
    call.add_numbers(first_components(r, operands.gradient_x, axes(image)));
    call.add_numbers(first_components(r, operands.gradient_y, axes(image)));
  } else if (operands.level && !is_zero(*operands.level)) {
    call.add(*operands.level);
  }
}

} // namespace

void read_sampled_image(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  if (!type.is(Kind::sampled_image)) refuse("the result is not a sampled image");
  const TypedValue image = image_operand(r, in.id()), sampler = r.operand(in.id());
  if (image.type != type.element) refuse("the image is not of the sampled image's type");
  if (!sampler.type->is(Kind::sampler)) refuse("the operand is not a sampler");
  r.define_sampled_image(result, {image, sampler});
}

void read_image_of_sampled(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Reader::SampledImage* sampled = r.sampled_image(in.id());
  if (!sampled) refuse("the operand is not a sampled image");
  r.define(result, type, sampled->image.value);
}

void read_image_sample(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Reader::SampledImage* sampled = r.sampled_image(in.id());
  if (!sampled) refuse("the operand is not a sampled image");
  const TypedValue image = sampled->image;
  Value* place = coordinates(r, *image.type, in.id());
  const ImageOperands operands = read_operands(r, in);
  const Texel texel = texel_of(r, *image.type, type, operands);
  ImageCall call(r, std::string("read_image") + texel.suffix);
  call.add(image).add(sampled->sampler).add_numbers(place);
  add_level(r, call, *image.type, operands);
  define_texel(r, result, type, image, texel, operands, call.make(texel.type));
}

void read_image_read(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue image = image_operand(r, in.id());
  Value* place = coordinates(r, *image.type, in.id());
  const ImageOperands operands = read_operands(r, in);
  if (operands.level || operands.gradient_x.value) refuse("a level or gradient needs a sampler");
  const Texel texel = texel_of(r, *image.type, type, operands);
  ImageCall call(r, std::string("read_image") + texel.suffix);
  call.add(image).add_numbers(place);
  define_texel(r, result, type, image, texel, operands, call.make(texel.type));
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
  ImageCall call(r, std::string("write_image") + texel.suffix);
  call.add(image).add_numbers(place);
  add_level(r, call, *image.type, operands);
  const StringRef suffix = texel.suffix;
  const char* name = image.type->is_depth ? "f"
                     : suffix == "f"      ? "Dv4_f"
                     : suffix == "h"      ? "Dv4_Dh"
                     : suffix == "i"      ? "Dv4_i"
                                          : "Dv4_j";
  call.add(written, {.name = name}).make(llvm::Type::getVoidTy(r.context()));
}

/// Reads OpImageQueryFormat and OpImageQueryOrder.
void read_image_format(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue image = image_operand(r, in.id());
  const bool is_type = in.op() == spv::OpImageQueryFormat;
  Value* number = query(r, is_type ? "get_image_channel_data_type" : "get_image_channel_order", image,
                        r.ir().getInt32Ty());
  r.define(result, type,
           r.ir().CreateSub(number, r.ir().getInt32(is_type ? first_channel_type : first_channel_order)));
}

namespace {

/// Returns the size along an axis, or the number of layers if `axis` is the number of axes.
Value* image_size(Reader& r, const TypedValue& image, unsigned axis) {
  constexpr const char* functions[] = {"get_image_width", "get_image_height", "get_image_depth"};
  if (axis < axes(*image.type)) return query(r, functions[axis], image, r.ir().getInt32Ty());
  return r.ir().CreateTrunc(query(r, "get_image_array_size", image, r.ir().getInt64Ty()),
                            r.ir().getInt32Ty());
}

/// Each level is half as large as the one before it, but at least 1.
Value* size_of_level(Reader& r, Value* size, Value* level) {
  Value* halved = r.ir().CreateLShr(size, level);
  return r.ir().CreateBinaryIntrinsic(Intrinsic::umax, halved, r.ir().getInt32(1));
}

} // namespace

/// Reads OpImageQuerySize and OpImageQuerySizeLod, which asks for a level.
void read_image_size(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
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
  r.define(result, type, sizes);
}

void read_image_levels(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue image = image_operand(r, in.id());
  r.define(result, type, query(r, "get_image_num_mip_levels", image, r.ir().getInt32Ty()));
}

} // namespace hostcl::compiler::spirv
