// Reads instructions that declare types. Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// The largest size in bytes that a type may have.
constexpr std::uint64_t max_type_bytes = std::uint64_t(1) << 47;
constexpr std::uint32_t max_integer_bits = 128;

/// The encodings of OpTypeFloat: BFloat16KHR, Float8E4M3EXT and Float8E5M2EXT.
struct Encoding {
  std::uint32_t number, bits;
  Kind kind;
};
constexpr Encoding encodings[] = {{0, 16, Kind::bfloat}, {4214, 8, Kind::e4m3}, {4215, 8, Kind::e5m2}};
constexpr std::size_t max_members =
    (1 << 18) - 1; // 16383 (SPIR-V specification, 2.17) without SPV_INTEL_long_composites

void check_size(Reader& r, llvm::Type* element, std::uint64_t count) {
  bool overflows = false;
  const std::uint64_t bytes = SaturatingMultiply<std::uint64_t>(
      r.layout().getTypeAllocSize(element).getFixedValue(), count, &overflows);
  if (overflows || bytes > max_type_bytes) refuse("the type has more than 2^47 bytes");
}

} // namespace

void read_type_void(Reader& r, Operands in) {
  r.define_type(in.id(), {.kind = Kind::nothing, .ir = llvm::Type::getVoidTy(r.context())});
}

void read_type_bool(Reader& r, Operands in) {
  r.define_type(in.id(), {.kind = Kind::boolean, .ir = llvm::Type::getInt1Ty(r.context())});
}

void read_type_int(Reader& r, Operands in) {
  const Id id = in.id();
  const std::uint32_t bits = in.word(), is_signed = in.word();
  // SPV_INTEL_arbitrary_precision_integers allows other widths. The limit is that of clang's __int128 and
  // _BitInt.
  if (bits == 0 || bits > max_integer_bits) refuse("integers of " + Twine(bits) + " bits are not supported");
  r.define_type(
      id, {.kind = Kind::integer, .ir = IntegerType::get(r.context(), bits), .is_signed = is_signed != 0});
}

void read_type_float(Reader& r, Operands in) {
  const Id id = in.id();
  const std::uint32_t bits = in.word();
  if (!in.empty()) { // SPV_KHR_bfloat16, SPV_EXT_float8
    const std::uint32_t number = in.word();
    const auto* encoding = llvm::find_if(
        encodings, [&](const Encoding& one) { return one.number == number && one.bits == bits; });
    if (encoding == std::end(encodings))
      refuse("the encoding " + Twine(number) + " of numbers of " + Twine(bits) + " bits is not supported");
    r.define_type(id, {.kind = encoding->kind, .ir = IntegerType::get(r.context(), bits)});
    return;
  }
  llvm::Type* type = bits == 16   ? llvm::Type::getHalfTy(r.context())
                     : bits == 32 ? llvm::Type::getFloatTy(r.context())
                     : bits == 64 ? llvm::Type::getDoubleTy(r.context())
                                  : nullptr;
  if (!type) refuse("numbers of floating point with " + Twine(bits) + " bits are not supported");
  r.define_type(id, {.kind = Kind::floating, .ir = type});
}

void read_type_vector(Reader& r, Operands in) {
  const Id id = in.id();
  const Type& element = r.value_type(in.id());
  const std::uint32_t count = in.word();
  if (!element.is(Kind::boolean) && !element.is(Kind::integer) && !element.is(Kind::floating) &&
      !element.is_short_float() && !element.is(Kind::pointer))
    refuse("the elements of a vector are not scalars");
  if (element.is(Kind::integer)) {
    const unsigned bits = element.ir->getIntegerBitWidth(); // SPV_INTEL_int4 has vectors of 4 bits
    if (bits < 4 || !isPowerOf2_32(bits)) refuse("vectors have no elements of " + Twine(bits) + " bits");
  }
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
    refuse("vectors have 2, 3, 4, 8 or 16 elements, not " + Twine(count));
  r.define_type(id, {.kind = Kind::vector,
                     .ir = FixedVectorType::get(element.ir, count),
                     .element = &element,
                     .count = count});
}

void read_type_array(Reader& r, Operands in) {
  const Id id = in.id();
  const Type& element = r.sized_type(in.id());
  const std::uint64_t count = r.constant_number(in.id());
  check_size(r, element.ir, count);
  r.define_type(
      id,
      {.kind = Kind::array, .ir = ArrayType::get(element.ir, count), .element = &element, .count = count});
}

void read_type_struct(Reader& r, Operands in) {
  const Id id = in.id();
  if (in.size() > max_members) refuse("a structure has more than " + Twine(max_members) + " members");
  Type type{.kind = Kind::structure};
  SmallVector<llvm::Type*, 8> members;
  std::uint64_t bytes = 0;
  while (!in.empty()) {
    const Type& member = r.sized_type(in.id());
    check_size(r, member.ir, 1);
    bytes += r.layout().getTypeAllocSize(member.ir).getFixedValue();
    if (bytes > max_type_bytes) refuse("the type has more than 2^47 bytes");
    type.members.push_back(&member);
    members.push_back(member.ir);
  }
  type.ir = StructType::create(r.context(), members, StringRef(r.names.lookup(id)),
                               r.decorations.has(id, spv::DecorationCPacked));
  r.define_type(id, std::move(type));
}

void read_type_opaque(Reader& r, Operands in) {
  const Id id = in.id();
  r.define_type(
      id,
      {.kind = Kind::opaque, .ir = StructType::create(r.context(), StringRef(in.string())), .op = in.op()});
}

/// Reads OpTypePointer, and OpTypeForwardPointer and OpTypeUntypedPointerKHR, which have no element.
void read_type_pointer(Reader& r, Operands in) {
  const Id id = in.id();
  const auto storage = in.enumerant<spv::StorageClass>();
  const Type* element = in.op() == spv::OpTypePointer ? &r.type(in.id()) : nullptr;
  r.define_type(id, {.kind = Kind::pointer,
                     .ir = PointerType::get(r.context(), Reader::address_space(storage)),
                     .element = element,
                     .storage = storage});
}

void read_type_function(Reader& r, Operands in) {
  const Id id = in.id();
  const Type& result = r.type(in.id());
  if (!result.ir || !FunctionType::isValidReturnType(result.ir) || result.is(Kind::function))
    refuse("a function cannot return a value of that type");
  Type type{.kind = Kind::function, .element = &result};
  SmallVector<llvm::Type*, 8> parameters;
  while (!in.empty()) {
    const Type& parameter = r.value_type(in.id());
    if (!FunctionType::isValidArgumentType(parameter.ir))
      refuse("a function cannot take a value of that type");
    type.members.push_back(&parameter);
    parameters.push_back(parameter.ir);
  }
  type.ir = FunctionType::get(result.ir, parameters, false);
  r.define_type(id, std::move(type));
}

/// Reads a type without operands, which is a target extension type in IR.
/// @param name of the target extension type
void read_target_type(Reader& r, Operands in, Kind kind, const char* name) {
  r.define_type(in.id(), {.kind = kind, .ir = TargetExtType::get(r.context(), name), .op = in.op()});
}

void read_type_pipe(Reader& r, Operands in) {
  const Id id = in.id();
  Type type;
  type.kind = Kind::opaque;
  type.op = in.op();
  type.access = in.enumerant<spv::AccessQualifier>();
  if (type.access != spv::AccessQualifierReadOnly && type.access != spv::AccessQualifierWriteOnly)
    refuse("the access qualifier of a pipe must be ReadOnly (0) or WriteOnly (1)");
  type.ir = TargetExtType::get(r.context(), "spirv.Pipe", {}, {unsigned(type.access)});
  r.define_type(id, std::move(type));
}

void read_type_image(Reader& r, Operands in) {
  const Id id = in.id();
  in.id(); // the type of texels is not needed, as the names of the library's functions say it
  Type type;
  type.kind = Kind::image;
  type.op = in.op();
  type.dim = in.enumerant<spv::Dim>();
  const std::uint32_t depth = in.word(), arrayed = in.word(), multisampled = in.word();
  const std::uint32_t sampled = in.word(), format = in.word();
  if (!in.empty()) type.access = in.enumerant<spv::AccessQualifier>();
  const bool is_known = type.dim == spv::Dim1D || type.dim == spv::Dim2D || type.dim == spv::Dim3D ||
                        type.dim == spv::DimBuffer;
  if (!is_known)
    refuse("images with Dim " + Twine(unsigned(type.dim)) +
           " are not supported in kernels; it must be 1D, 2D, 3D or Buffer");
  if (unsigned(type.access) > spv::AccessQualifierReadWrite) refuse("the access qualifier is unknown");
  type.is_depth = depth == 1;
  type.is_array = arrayed != 0;
  type.is_multisampled = multisampled != 0;
  (void)sampled; // not needed, as the instructions show whether the image is sampled
  (void)format;
  // clang writes images like this: the format is unknown, and "sampled" is 0.
  type.ir = TargetExtType::get(r.context(), "spirv.Image", {llvm::Type::getVoidTy(r.context())},
                               {unsigned(type.dim), type.is_depth ? 1u : 0u, type.is_array ? 1u : 0u,
                                type.is_multisampled ? 1u : 0u, 0, 0, unsigned(type.access)});
  r.define_type(id, std::move(type));
}

void read_type_sampled_image(Reader& r, Operands in) {
  const Id id = in.id();
  const Type& image = r.type(in.id());
  if (!image.is(Kind::image)) refuse("the type that is sampled is not an image");
  r.define_type(id, {.kind = Kind::sampled_image, .element = &image});
}

} // namespace hostcl::compiler::spirv
