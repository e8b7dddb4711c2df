// Reads loads, stores, copies and the computation of addresses.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/variables.hpp"
#include "compiler/ir/spaces.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Memory operands of SPV_INTEL_memory_access_aliasing.
constexpr std::uint32_t alias_scope_operand = 0x10000, no_alias_operand = 0x20000;

/// The optional operands of an access (section 3.26).
struct Access {
  bool is_volatile = false, is_nontemporal = false;
  std::uint32_t alignment = 0; ///< 0 if not given
  MDNode *alias_scope = nullptr, *no_alias = nullptr;

  Align alignment_of(Reader& r, llvm::Type* type) const {
    return alignment ? Align(alignment) : r.layout().getABITypeAlign(type);
  }
};

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
  if (mask & alias_scope_operand) access.alias_scope = r.alias_node(in.id());
  if (mask & no_alias_operand) access.no_alias = r.alias_node(in.id());
  return access;
}

void decorate(Reader& r, llvm::Instruction& instruction, const Access& access) {
  if (access.is_nontemporal)
    instruction.setMetadata(LLVMContext::MD_nontemporal,
                            MDNode::get(r.context(), ConstantAsMetadata::get(r.ir().getInt32(1))));
  if (access.alias_scope) instruction.setMetadata(LLVMContext::MD_alias_scope, access.alias_scope);
  if (access.no_alias) instruction.setMetadata(LLVMContext::MD_noalias, access.no_alias);
}

void check_content(const Type& type) {
  if (!type.ir->isSized()) refuse("values of that type cannot be in memory");
}

/// Returns the address that the indices lead to from a pointer to `content`.
Value* address(Reader& r, Value* base, const Type& content, Operands& in, SmallVectorImpl<Value*>& indices) {
  const Type* inner = &content;
  while (!in.empty()) {
    const Id id = in.id();
    const TypedValue index = r.scalar_integer(id);
    if (inner->is(Kind::structure)) {
      const std::uint64_t member = r.constant_number(id);
      inner = &part_type(*inner, member);
      indices.push_back(r.ir().getInt32(static_cast<std::uint32_t>(member)));
      continue;
    }
    if (!inner->is(Kind::array) && !inner->is(Kind::vector))
      refuse("there are more indexes than nested arrays, vectors and structures");
    if (inner->is(Kind::vector) && inner->element->is(Kind::boolean))
      refuse("the elements of a vector of booleans have no addresses");
    inner = inner->element;
    indices.push_back(index.value);
  }
  return base;
}

/// @param content the type that the base is taken to point to
/// @param has_element whether the first index selects an element of an array, into which the base points
/// @param in_bounds whether the address is in the object of the base
void define_address(Reader& r, Id result, const Type& type, const TypedValue& base, const Type* content,
                    Operands& in, bool has_element, bool in_bounds) {
  if (!type.scalar().is(Kind::pointer)) refuse("the result is not a pointer");
  if (!content || !content->ir || !content->ir->isSized()) refuse("the base points to a type without a size");
  SmallVector<Value*, 8> indices;
  indices.push_back(has_element ? r.scalar_integer(in.id()).value : r.ir().getInt32(0));
  address(r, base.value, *content, in, indices);
  r.define(result, type,
           r.ir().CreateGEP(content->ir, base.value, indices, "",
                            in_bounds ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none()));
}

} // namespace

void read_load(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue pointer = r.pointer(in.id());
  const Access access = read_access(r, in);
  check_content(type);
  LoadInst* load =
      r.ir().CreateAlignedLoad(type.ir, pointer.value, access.alignment_of(r, type.ir), access.is_volatile);
  decorate(r, *load, access);
  r.define(result, type, load);
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

/// If there are two sets of memory operands, the second one is for the source. A single set is for both.
void read_copy_memory(Reader& r, Operands in) {
  const TypedValue target = r.pointer(in.id()), source = r.pointer(in.id());
  Value* bytes = nullptr;
  MaybeAlign natural = Align(1);
  if (in.op() == spv::OpCopyMemorySized) {
    bytes = r.scalar_integer(in.id()).value;
  } else {
    const Type* content = target.type->element ? target.type->element : source.type->element;
    if (!content || !content->ir || !content->ir->isSized())
      refuse("the size of the copied object is unknown");
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

void read_access_chain(Reader& r, Operands in, bool has_element, bool in_bounds) {
  const auto [type, result] = read_result(r, in);
  const TypedValue base = r.pointers(in.id());
  define_address(r, result, type, base, base.type->scalar().element, in, has_element, in_bounds);
}

/// Reads the address computations of SPV_KHR_untyped_pointers.
void read_untyped_access_chain(Reader& r, Operands in, bool has_element, bool in_bounds) {
  const auto [type, result] = read_result(r, in);
  const Type& content = r.type(in.id());
  define_address(r, result, type, r.pointer(in.id()), &content, in, has_element, in_bounds);
}

void read_size_of(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Id id = in.id();
  // For this operand llvm-spirv writes the type of a pointer and spirv-val requires a pointer; both are
  // accepted.
  const Type& pointer = r.is_type(id) ? r.type(id) : *r.pointer(id).type;
  const Type* content = pointer.is(Kind::pointer) ? pointer.element : nullptr;
  if (!type.is(Kind::integer)) refuse("the result is not an integer");
  if (!content || !content->ir || !content->ir->isSized())
    refuse("the pointer points to a type without a size");
  const std::uint64_t bytes = r.layout().getTypeAllocSize(content->ir).getFixedValue();
  r.define(result, type, r.ir().CreateZExtOrTrunc(r.ir().getInt64(bytes), type.ir));
}

void read_pointer_comparison(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.pointers(in.id()), b = r.pointers(in.id());
  if (a.type->ir != b.type->ir) refuse("the pointers are of different address spaces");
  if (in.op() == spv::OpPtrDiff) {
    if (!a.type->is(Kind::pointer)) refuse("differences of vectors of pointers are not supported");
    const Type* content = a.type->element;
    if (!content || !content->ir || !content->ir->isSized())
      refuse("the pointers point to a type without a size");
    if (!type.is(Kind::integer)) refuse("the result is not an integer");
    Value* difference = r.ir().CreatePtrDiff(content->ir, a.value, b.value);
    r.define(result, type, r.ir().CreateSExtOrTrunc(difference, type.ir));
    return;
  }
  r.define(result, type,
           in.op() == spv::OpPtrEqual ? r.ir().CreateICmpEQ(a.value, b.value)
                                      : r.ir().CreateICmpNE(a.value, b.value));
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

void read_generic_memory_semantics(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue pointer = r.pointer(in.id());
  if (type.ir != r.ir().getInt32Ty()) refuse("the result is not an integer of 32 bits");
  Value* generic = r.ir().CreateAddrSpaceCast(pointer.value, PointerType::get(r.context(), generic_space));
  // get_fence() returns CLK_LOCAL_MEM_FENCE (1) or CLK_GLOBAL_MEM_FENCE (2).
  Value* fence = r.call("_Z9get_fencePU3AS4v", type.ir, {generic});
  Value* is_local = r.ir().CreateICmpEQ(fence, r.ir().getInt32(1));
  r.define(result, type,
           r.ir().CreateSelect(is_local, r.ir().getInt32(spv::MemorySemanticsWorkgroupMemoryMask),
                               r.ir().getInt32(spv::MemorySemanticsCrossWorkgroupMemoryMask)));
}

} // namespace hostcl::compiler::spirv
