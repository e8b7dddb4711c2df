#include "compiler/front/spirv/type_table.hpp"

#include "compiler/ir/spaces.hpp"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// LLVM's functions about types are recursive, so types must not be nested too deep. The limit was found by
/// tests.
constexpr unsigned max_type_depth = 255;

std::uint64_t scalars_in(const Type& type) {
  using Kind = Type::Kind;
  if (type.element && (type.is(Kind::vector) || type.is(Kind::matrix) || type.is(Kind::array)))
    return SaturatingMultiply<std::uint64_t>(type.count, type.element->scalars);
  if (!type.is(Kind::structure)) return 1;
  // A structure without members counts as 1, so that an array cannot have any number of them.
  std::uint64_t scalars = 1;
  for (const Type* member : type.members)
    scalars = SaturatingAdd(scalars, member->scalars);
  return scalars;
}

} // namespace

const char* kind_name(Type::Kind kind) {
  using enum Type::Kind;
  switch (kind) {
  case boolean:
    return "a boolean";
  case integer:
    return "an integer";
  case floating:
    return "a floating-point number";
  case pointer:
    return "a pointer";
  case image:
    return "an image";
  case sampler:
    return "a sampler";
  default:
    return "a value of the kind that is needed";
  }
}

Type& TypeTable::define_type(Id id, Type type) {
  for (const Type* part : type.members)
    type.depth = std::max(type.depth, part->depth + 1);
  if (type.element && !type.is(Type::Kind::pointer))
    type.depth = std::max(type.depth, type.element->depth + 1);
  if (type.depth > max_type_depth) refuse("types are nested more than " + Twine(max_type_depth) + " deep");
  type.scalars = scalars_in(type);
  auto [found, is_new] = types_by_id_.try_emplace(id, nullptr);
  if (is_new) {
    found->second = &types_.emplace_back(std::move(type));
  } else {
    // Only a pointer type that was declared before (OpTypeForwardPointer) may be defined now.
    Type& declared = *found->second;
    if (!declared.is(Type::Kind::pointer) || declared.element || declared.ir != type.ir)
      refuse(described(id) + " is defined twice");
    declared.element = type.element;
  }
  return *found->second;
}

const Type& TypeTable::type(Id id) const {
  auto found = types_by_id_.find(id);
  if (found == types_by_id_.end()) refuse(described(id) + " is not a type");
  return *found->second;
}

const Type& TypeTable::value_type(Id id) const {
  const Type& found = type(id);
  if (!found.ir || !found.ir->isFirstClassType()) refuse(described(id) + " is not a type of values");
  return found;
}

const Type& TypeTable::sized_type(Id id) const {
  const Type& found = value_type(id);
  if (!found.ir->isSized()) refuse("values of the type with " + described(id) + " have no size");
  return found;
}

const Type& TypeTable::with_shape(const Type& shape, Type scalar) {
  const Type& element = types_.emplace_back(std::move(scalar));
  if (!shape.is(Type::Kind::vector) && !shape.is(Type::Kind::matrix)) return element;
  return types_.emplace_back(Type{.kind = shape.kind,
                                  .ir = FixedVectorType::get(element.ir, shape.count),
                                  .element = &element,
                                  .count = shape.count,
                                  .rows = shape.rows,
                                  .columns = shape.columns,
                                  .use = shape.use});
}

const Type& TypeTable::integers_like(const Type& type, unsigned bits) {
  return with_shape(type, {.kind = Type::Kind::integer, .ir = IntegerType::get(context_, bits)});
}

const Type& TypeTable::floats_like(const Type& type, unsigned bits) {
  llvm::Type* scalar = bits == 32 ? llvm::Type::getFloatTy(context_) : llvm::Type::getDoubleTy(context_);
  return with_shape(type, {.kind = Type::Kind::floating, .ir = scalar});
}

const Type& TypeTable::shorter(const Type& type, unsigned count) {
  return with_shape({.kind = Type::Kind::vector, .count = count}, *type.element);
}

const Type& TypeTable::half_type() {
  return with_shape({}, {.kind = Type::Kind::floating, .ir = llvm::Type::getHalfTy(context_)});
}

const Type& TypeTable::pointer_to(const Type& pointer, const Type& content) {
  Type& made = types_.emplace_back(pointer);
  made.element = &content;
  return made;
}

unsigned TypeTable::address_space(spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClassFunction:
  case spv::StorageClassPrivate:
  case spv::StorageClassInput: // variables.cpp makes a private variable for each of them
  case spv::StorageClassCodeSectionINTEL:
    return private_space;
  case spv::StorageClassCrossWorkgroup:
  case spv::StorageClassDeviceOnlyINTEL:
  case spv::StorageClassHostOnlyINTEL:
    return global_space;
  case spv::StorageClassUniformConstant:
    return constant_space;
  case spv::StorageClassWorkgroup:
    return local_space;
  case spv::StorageClassGeneric:
    return generic_space;
  default:
    refuse("the storage class " + Twine(unsigned(storage)) + " is not supported in kernels");
  }
}

} // namespace hostcl::compiler::spirv
