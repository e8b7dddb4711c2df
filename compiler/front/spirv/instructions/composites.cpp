// Reads instructions that take composites apart or put them together.

#include "compiler/front/spirv/instructions/composites.hpp"

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/ir/sub_group_operation.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Replaces a nested part of a composite. Each index selects a part of the part that the indices before it
/// have selected.
/// @returns the new composite
Value* insert_deep(Reader& r, const Type& type, Value* composite, const TypedValue& part,
                   std::span<const std::uint32_t> indices) {
  const Type& inner_type = part_type(type, indices[0]);
  Value* inner = part.value;
  if (indices.size() > 1)
    inner = insert_deep(r, inner_type, extract(r, composite, indices[0]), part, indices.subspan(1));
  if (type.is(Kind::matrix)) inner = of_first_lane(r.ir(), inner);
  if (inner->getType() != inner_type.ir)
    refuse("the type of Object differs from the type of the member or element that the indexes name");
  return insert(r, composite, inner, indices[0]);
}

} // namespace

std::size_t part_count(const Type& type) {
  return type.is(Kind::structure) ? type.members.size() : type.count;
}

const Type& part_type(const Type& type, std::uint64_t index) {
  if (!type.is(Kind::structure) && !type.is(Kind::array) && !type.is(Kind::vector) && !type.is(Kind::matrix))
    refuse(
        "there are more indexes than nested composites: an index applies to a value that is not a composite");
  if (index >= part_count(type))
    refuse("the index " + Twine(index) + " is out of range: the composite has " + Twine(part_count(type)) +
           " members or elements");
  return type.is(Kind::structure) ? *type.members[index] : *type.element;
}

Value* extract(Reader& r, Value* composite, unsigned index) {
  if (composite->getType()->isVectorTy()) return r.ir().CreateExtractElement(composite, std::uint64_t(index));
  return r.ir().CreateExtractValue(composite, index);
}

Value* insert(Reader& r, Value* composite, Value* part, unsigned index) {
  if (composite->getType()->isVectorTy())
    return r.ir().CreateInsertElement(composite, part, std::uint64_t(index));
  return r.ir().CreateInsertValue(composite, part, index);
}

Value* together(Reader& r, const Type& composite, ArrayRef<Value*> parts) {
  Value* made = PoisonValue::get(composite.ir);
  for (unsigned i = 0; i < parts.size(); ++i)
    made = insert(r, made, parts[i], i);
  return made;
}

void check_matrix_constituents(const Operands& in) {
  if (in.size() != 1)
    refuse(
        "a cooperative matrix has one constituent, which all of its components are equal to; this one has " +
        Twine(in.size()));
}

Value* read_composite_replicate(Reader& r, const Type& type, Operands in) { // SPV_EXT_replicated_composites
  const Id part = in.id();
  Reader::check_scalars(type);
  if (type.is(Kind::matrix))
    return r.ir().CreateVectorSplat(unsigned(type.count),
                                    of_first_lane(r.ir(), r.of_type(part, *type.element)));
  Value* composite = PoisonValue::get(type.ir);
  for (unsigned i = 0; i < part_count(type); ++i)
    composite = insert(r, composite, r.of_type(part, part_type(type, i)), i);
  if (part_count(type) == 0) part_type(type, 0); // refuses types without parts
  return composite;
}

Value* read_composite_construct(Reader& r, const Type& type, Operands in) {
  if (type.is(Kind::matrix)) {
    check_matrix_constituents(in);
    return read_composite_replicate(r, type, in);
  }
  Value* composite = PoisonValue::get(type.ir);
  unsigned filled = 0;
  while (!in.empty()) {
    const TypedValue part = r.operand(in.id());
    // A vector may be made of shorter vectors.
    const bool is_split = type.is(Kind::vector) && part.type->is(Kind::vector);
    const unsigned count = is_split ? part.type->count : 1;
    for (unsigned i = 0; i < count; ++i, ++filled) {
      const Type& expected = part_type(type, filled);
      Value* value = is_split ? extract(r, part.value, i) : part.value;
      if (value->getType() != expected.ir)
        refuse("the type of a constituent differs from that of its member or element in the result type");
      composite = insert(r, composite, value, filled);
    }
  }
  if (filled != part_count(type))
    refuse("there are fewer constituents than members or elements of the result type");
  return composite;
}

Value* read_composite_extract(Reader& r, const Type&, Operands in) {
  const TypedValue composite = r.operand(in.id());
  const Type* part = composite.type;
  Value* value = composite.value;
  while (!in.empty()) {
    const std::uint32_t index = in.word();
    part = &part_type(*part, index);
    value = extract(r, value, index);
  }
  return value;
}

Value* read_composite_insert(Reader& r, const Type& type, Operands in) {
  const TypedValue object = r.operand(in.id());
  Value* composite = r.of_type(in.id(), type);
  Reader::check_scalars(type);
  return in.empty() ? object.value : insert_deep(r, type, composite, object, in.rest());
}

Value* read_vector_extract_dynamic(Reader& r, const Type&, Operands in) {
  const TypedValue vector = r.operand(in.id());
  if (!vector.type->is(Kind::vector)) refuse("the operand is not a vector");
  return r.ir().CreateExtractElement(vector.value, r.scalar_integer(in.id()).value);
}

Value* read_vector_insert_dynamic(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::vector)) refuse("the result is not a vector");
  Value* vector = r.of_type(in.id(), type);
  Value* part = r.of_type(in.id(), *type.element);
  return r.ir().CreateInsertElement(vector, part, r.scalar_integer(in.id()).value);
}

Value* read_vector_shuffle(Reader& r, const Type& type, Operands in) {
  constexpr std::uint32_t undefined = 0xffffffff;
  const TypedValue first = r.operand(in.id()), second = r.operand(in.id());
  if (!type.is(Kind::vector) || !first.type->is(Kind::vector) || !second.type->is(Kind::vector) ||
      type.element->ir != first.type->element->ir || type.element->ir != second.type->element->ir)
    refuse("the operands and the result must be vectors with the same component type");
  Value* shuffled = PoisonValue::get(type.ir);
  unsigned filled = 0;
  for (; !in.empty(); ++filled) {
    const std::uint32_t index = in.word();
    if (filled == type.count) refuse("there are more component literals than components of the result type");
    if (index == undefined) continue;
    const bool is_first = index < first.type->count;
    const std::uint64_t place = is_first ? index : index - first.type->count;
    if (!is_first && place >= second.type->count)
      refuse("the component literal " + Twine(index) + " is out of range: the two vectors have " +
             Twine(first.type->count + second.type->count) + " components");
    shuffled = insert(r, shuffled, extract(r, is_first ? first.value : second.value, place), filled);
  }
  if (filled != type.count) refuse("there are fewer component literals than components of the result type");
  return shuffled;
}

namespace {

/// Converts a value to another type that has the same parts (OpCopyLogical).
Value* copied(Reader& r, const TypedValue& from, const Type& to) {
  if (from.type->ir == to.ir) return from.value;
  const bool has_parts = to.is(Kind::structure) || to.is(Kind::array);
  if (!has_parts || from.type->kind != to.kind || part_count(*from.type) != part_count(to))
    refuse("the operand's type does not match the result type member by member");
  Value* copy = PoisonValue::get(to.ir);
  for (unsigned i = 0; i < part_count(to); ++i) {
    const TypedValue part{extract(r, from.value, i), &part_type(*from.type, i)};
    copy = insert(r, copy, copied(r, part, part_type(to, i)), i);
  }
  return copy;
}

} // namespace

Value* read_copy_logical(Reader& r, const Type& type, Operands in) {
  Reader::check_scalars(type);
  return copied(r, r.operand(in.id()), type);
}

Value* read_copy(Reader& r, const Type& type, Operands in) {
  return r.of_type(in.id(), type);
}

Value* read_freeze(Reader& r, const Type& type, Operands in) { // SPV_KHR_poison_freeze
  return r.ir().CreateFreeze(r.of_type(in.id(), type));
}

} // namespace hostcl::compiler::spirv
