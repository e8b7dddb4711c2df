// Reads loads, stores, copies and the computation of addresses.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Memory operands of SPV_INTEL_memory_access_aliasing.
constexpr std::uint32_t alias_scope_operand = 0x10000, no_alias_operand = 0x20000;
constexpr const char* alias_node = "a scope, domain or list of aliasing";

} // namespace

Align Access::alignment_of(Reader& r, llvm::Type* type) const {
  return alignment ? Align(alignment) : r.layout().getABITypeAlign(type);
}

Access read_access(Reader& r, Operands& in) {
  Access access;
  if (in.empty()) return access;
  const std::uint32_t mask = in.word();
  access.is_volatile = mask & spv::MemoryAccessVolatileMask;
  access.is_nontemporal = mask & spv::MemoryAccessNontemporalMask;
  if (mask & spv::MemoryAccessAlignedMask) {
    access.alignment = in.word();
    if (access.alignment != 0 && !isPowerOf2_32(access.alignment))
      refuse("the alignment " + Twine(access.alignment) + " is not a power of two");
  }
  if (mask & spv::MemoryAccessMakePointerAvailableMask) in.id();
  if (mask & spv::MemoryAccessMakePointerVisibleMask) in.id();
  if (mask & alias_scope_operand) access.alias_scope = entry(r.alias_nodes, in.id(), alias_node);
  if (mask & no_alias_operand) access.no_alias = entry(r.alias_nodes, in.id(), alias_node);
  return access;
}

void decorate(Reader& r, llvm::Instruction& instruction, const Access& access) {
  if (access.is_nontemporal)
    instruction.setMetadata(LLVMContext::MD_nontemporal,
                            MDNode::get(r.context(), ConstantAsMetadata::get(r.ir().getInt32(1))));
  if (access.alias_scope) instruction.setMetadata(LLVMContext::MD_alias_scope, access.alias_scope);
  if (access.no_alias) instruction.setMetadata(LLVMContext::MD_noalias, access.no_alias);
}

namespace {

void check_content(const Type& type) {
  if (!type.ir->isSized()) refuse("values of that type cannot be in memory");
}

/// Refuses a pointer to a type without a size, or to an unknown type (null). @param pointer the pointer's name in the
/// error message
void check_sized(const Type* content, const char* pointer) {
  if (!content || !content->ir || !content->ir->isSized())
    refuse(Twine(pointer) + " to a type without a size");
}

bool has_packed_elements(const Type& vector) {
  return vector.element->is(Kind::boolean) || vector.ir->isIntOrIntVectorTy(4); // SPV_INTEL_int4
}

/// @param type the result type
/// @param content the type that the base is taken to point to
/// @param has_element whether the first index selects an element of an array, into which the base points
/// @param in_bounds whether the address is in the object of the base
Value* address(Reader& r, const Type& type, const TypedValue& base, const Type* content, Operands& in,
               bool has_element, bool in_bounds) {
  require(type, Kind::pointer);
  check_sized(content, "the base points");
  SmallVector<Value*, 8> indices;
  indices.push_back(has_element ? r.scalar_integer(in.id()).value : r.ir().getInt32(0));
  const Type* inner = content;
  while (!in.empty()) {
    const Id id = in.id();
    const TypedValue index = r.scalar_integer(id);
    if (inner->is(Kind::structure)) {
      const std::uint64_t member = r.constant_number(id);
      inner = &part_type(*inner, member);
      indices.push_back(r.ir().getInt32(static_cast<std::uint32_t>(member)));
      continue;
    }
    if (!inner->is(Kind::array) && !inner->is(Kind::vector) && !inner->is(Kind::matrix))
      refuse("there are more indexes than nested arrays, vectors and structures");
    if (inner->is(Kind::vector) && has_packed_elements(*inner))
      refuse("the elements of a vector of booleans or 4-bit integers have no addresses");
    inner = inner->element;
    indices.push_back(index.value);
  }
  return r.ir().CreateGEP(content->ir, base.value, indices, "",
                          in_bounds ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
}

/// The memory operands of an access that a predicate guards.
Access read_predicated_access(Reader& r, const Type& type, const TypedValue& predicate, Operands& in) {
  const Access access = read_access(r, in);
  if (!predicate.type->is(Kind::boolean)) refuse("the predicate is not a scalar");
  if (!type.scalar().is(Kind::integer) && !type.scalar().is(Kind::floating))
    refuse("the accessed type is neither a number nor a vector of numbers");
  if (access.is_volatile) refuse("the access is volatile");
  return access;
}

Value* load_from(Reader& r, const Type& type, Value* pointer, const Access& access) {
  LoadInst* load =
      r.ir().CreateAlignedLoad(type.ir, pointer, access.alignment_of(r, type.ir), access.is_volatile);
  decorate(r, *load, access);
  return load;
}

} // namespace

Value* read_load(Reader& r, const Type& type, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const Access access = read_access(r, in);
  check_content(type);
  return load_from(r, type, pointer.value, access);
}

Value* read_predicated_load(Reader& r, const Type& type, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const TypedValue predicate = r.boolean(in.id());
  Value* otherwise = r.of_type(in.id(), type);
  const Access access = read_predicated_access(r, type, predicate, in);
  return where(r, predicate.value, otherwise, [&] { return load_from(r, type, pointer.value, access); });
}

llvm::Instruction* store_object(Reader& r, const TypedValue& object, Value* pointer, Align alignment,
                                bool is_volatile) {
  if (object.type->scalars <= max_scalars)
    return r.ir().CreateAlignedStore(object.value, pointer, alignment, is_volatile);
  // The object is a constant: other values cannot be as large.
  auto* constant = cast<Constant>(object.value);
  const std::uint64_t bytes = r.layout().getTypeStoreSize(object.type->ir).getFixedValue();
  if (constant->isNullValue() || isa<UndefValue>(constant))
    return r.ir().CreateMemSet(pointer, r.ir().getInt8(0), bytes, alignment, is_volatile);
  auto* source = new GlobalVariable(
      r.module(), object.type->ir, /*isConstant=*/true, GlobalValue::InternalLinkage, constant, "il.constant",
      nullptr, GlobalValue::NotThreadLocal, Reader::address_space(spv::StorageClassUniformConstant));
  return r.ir().CreateMemCpy(pointer, alignment, source, r.layout().getPreferredAlign(source), bytes,
                             is_volatile);
}

void read_store(Reader& r, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const TypedValue object = r.operand(in.id());
  const Access access = read_access(r, in);
  check_content(*object.type);
  decorate(
      r, *store_object(r, object, pointer.value, access.alignment_of(r, object.type->ir), access.is_volatile),
      access);
}

void read_predicated_store(Reader& r, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const TypedValue object = r.operand(in.id());
  const TypedValue predicate = r.boolean(in.id());
  const Access access = read_predicated_access(r, *object.type, predicate, in);
  where(r, predicate.value, nullptr, [&]() -> Value* {
    const Align alignment = access.alignment_of(r, object.type->ir);
    decorate(r, *store_object(r, object, pointer.value, alignment, /*is_volatile=*/false), access);
    return nullptr;
  });
}

/// If there are two sets of memory operands, the second one is for the source. A single set is for both.
void read_copy_memory(Reader& r, Operands in) {
  const TypedValue target = r.pointer(in.id()), source = r.pointer(in.id());
  Value* bytes = nullptr;
  MaybeAlign natural = Align(1);
  if (in.op() == spv::OpCopyMemorySized) {
    bytes = r.scalar_integer(in.id()).value;
  } else {
    const Type* content = target.type->element ? target.type->element : source.type->element;
    check_sized(content, "the pointers point");
    bytes = r.ir().getInt64(r.layout().getTypeAllocSize(content->ir).getFixedValue());
    natural = r.layout().getABITypeAlign(content->ir);
  }
  const Access to = read_access(r, in);
  const Access from = in.empty() ? to : read_access(r, in);
  auto alignment = [&](const Access& access) {
    return access.alignment ? MaybeAlign(access.alignment) : natural;
  };
  CallInst* copy = r.ir().CreateMemCpy(target.value, alignment(to), source.value, alignment(from), bytes,
                                       to.is_volatile || from.is_volatile);
  decorate(r, *copy, to);
}

Value* read_access_chain(Reader& r, const Type& type, Operands in, bool has_element, bool in_bounds) {
  const TypedValue base = r.pointers(in.id());
  return address(r, type, base, base.type->scalar().element, in, has_element, in_bounds);
}

/// Reads the address computations of SPV_KHR_untyped_pointers.
Value* read_untyped_access_chain(Reader& r, const Type& type, Operands in, bool has_element, bool in_bounds) {
  const Type& content = r.type(in.id());
  return address(r, type, r.pointer(in.id()), &content, in, has_element, in_bounds);
}

Value* read_size_of(Reader& r, const Type& type, Operands in) {
  const Id id = in.id();
  // For this operand llvm-spirv writes the type of a pointer and spirv-val requires a pointer; both are
  // accepted.
  const Type& pointer = r.is_type(id) ? r.type(id) : *r.pointer(id).type;
  const Type* content = pointer.is(Kind::pointer) ? pointer.element : nullptr;
  require_scalar(type, Kind::integer);
  check_sized(content, "the pointer points");
  const std::uint64_t bytes = r.layout().getTypeAllocSize(content->ir).getFixedValue();
  return r.ir().CreateZExtOrTrunc(r.ir().getInt64(bytes), type.ir);
}

Value* read_pointer_comparison(Reader& r, const Type& type, Operands in) {
  const TypedValue a = r.pointers(in.id()), b = r.pointers(in.id());
  if (a.type->ir != b.type->ir) refuse("the pointers are of different address spaces");
  if (in.op() == spv::OpPtrDiff) {
    if (!a.type->is(Kind::pointer)) refuse("differences of vectors of pointers are not supported");
    check_sized(a.type->element, "the pointers point");
    require_scalar(type, Kind::integer);
    Value* difference = r.ir().CreatePtrDiff(a.type->element->ir, a.value, b.value);
    return r.ir().CreateSExtOrTrunc(difference, type.ir);
  }
  return r.ir().CreateICmp(in.op() == spv::OpPtrEqual ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE, a.value,
                           b.value);
}

/// LLVM accepts marks of a variable's lifetime only for the address of the variable itself, so others are
/// ignored.
void read_lifetime(Reader& r, Operands in) {
  auto* variable = dyn_cast<AllocaInst>(r.pointer(in.id()).value->stripPointerCasts());
  if (!variable) return;
  if (in.op() == spv::OpLifetimeStart)
    r.ir().CreateLifetimeStart(variable);
  else
    r.ir().CreateLifetimeEnd(variable);
}

Value* read_generic_memory_semantics(Reader& r, const Type& type, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  if (type.ir != r.ir().getInt32Ty()) refuse("the result is not an integer of 32 bits");
  // get_fence() returns CLK_LOCAL_MEM_FENCE (1) or CLK_GLOBAL_MEM_FENCE (2).
  Value* fence = r.call("_Z9get_fencePU3AS4v", type.ir, {r.generic(pointer.value)});
  Value* is_local = r.ir().CreateICmpEQ(fence, r.ir().getInt32(1));
  return r.ir().CreateSelect(is_local, r.ir().getInt32(spv::MemorySemanticsWorkgroupMemoryMask),
                             r.ir().getInt32(spv::MemorySemanticsCrossWorkgroupMemoryMask));
}

} // namespace hostcl::compiler::spirv
