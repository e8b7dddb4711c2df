// Reads atomic instructions, fences and barriers. Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns LLVM's memory order for the operands Scope and Semantics. An atomic instruction is atomic for all
/// threads of the host, so a narrower scope needs no other code. Only the scope Invocation (a work-item by
/// itself) needs no order.
AtomicOrdering ordering(Reader& r, Id scope, Id semantics) {
  // A producer may leave both operands to be computed at run time. The strongest order is correct for all
  // values.
  if (!r.is_constant_number(scope) || !r.is_constant_number(semantics))
    return AtomicOrdering::SequentiallyConsistent;
  if (r.constant_number(scope) == spv::ScopeInvocation) return AtomicOrdering::Monotonic;
  const std::uint64_t mask = r.constant_number(semantics);
  if (mask & spv::MemorySemanticsSequentiallyConsistentMask) return AtomicOrdering::SequentiallyConsistent;
  if (mask & spv::MemorySemanticsAcquireReleaseMask) return AtomicOrdering::AcquireRelease;
  const bool acquires = mask & spv::MemorySemanticsAcquireMask,
             releases = mask & spv::MemorySemanticsReleaseMask;
  if (acquires && releases) return AtomicOrdering::AcquireRelease;
  if (acquires) return AtomicOrdering::Acquire;
  return releases ? AtomicOrdering::Release : AtomicOrdering::Monotonic;
}

/// Takes the operands Scope and Semantics.
AtomicOrdering ordering(Reader& r, Operands& in) {
  const Id scope = in.id();
  return ordering(r, scope, in.id());
}

/// Weakens an order to one that a load can have: a load cannot release.
AtomicOrdering load_ordering(AtomicOrdering order) {
  return AtomicCmpXchgInst::getStrongestFailureOrdering(order);
}

/// Weakens an order to one that a store can have: a store cannot acquire.
AtomicOrdering store_ordering(AtomicOrdering order) {
  if (order == AtomicOrdering::Acquire) return AtomicOrdering::Monotonic;
  return order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release : order;
}

/// Refuses objects that cannot be atomic. Integers, floating-point numbers and pointers of 1, 2, 4 or 8 bytes
/// can.
void check_object(Reader& r, const Type& type) {
  if (!type.is(Kind::integer) && !type.is(Kind::floating) && !type.is(Kind::pointer))
    refuse("an atomic operation needs an integer, a floating-point number or a pointer");
  const std::uint64_t bits = r.layout().getTypeSizeInBits(type.ir).getFixedValue();
  if (!isPowerOf2_64(bits) || bits < 8 || bits > 64)
    refuse("atomic operations on objects of " + Twine(bits) +
           " bits are not supported; the size must be 8, 16, 32 or 64 bits");
}

Align natural_alignment(Reader& r, const Type& type) {
  return Align(r.layout().getTypeStoreSize(type.ir).getFixedValue());
}

} // namespace

Value* read_atomic_load(Reader& r, const Type& type, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const AtomicOrdering order = load_ordering(ordering(r, in));
  check_object(r, type);
  LoadInst* load = r.ir().CreateAlignedLoad(type.ir, pointer.value, natural_alignment(r, type));
  load->setAtomic(order);
  return load;
}

void read_atomic_store(Reader& r, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const AtomicOrdering order = store_ordering(ordering(r, in));
  const TypedValue value = r.operand(in.id());
  check_object(r, *value.type);
  r.ir().CreateAlignedStore(value.value, pointer.value, natural_alignment(r, *value.type))->setAtomic(order);
}

Value* read_atomic_update(Reader& r, const Type& type, Operands in, AtomicRMWInst::BinOp operation) {
  const TypedValue pointer = r.pointer(in.id());
  const AtomicOrdering order = ordering(r, in);
  check_object(r, type);
  if (operation != AtomicRMWInst::Xchg)
    require(type, AtomicRMWInst::isFPOperation(operation) ? Kind::floating : Kind::integer);
  const bool is_step = in.op() == spv::OpAtomicIIncrement || in.op() == spv::OpAtomicIDecrement;
  Value* value = is_step ? ConstantInt::get(type.ir, 1) : r.of_type(in.id(), type);
  return r.ir().CreateAtomicRMW(operation, pointer.value, value, natural_alignment(r, type), order);
}

Value* read_atomic_compare_exchange(Reader& r, const Type& type, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const Id scope = in.id(), equal = in.id(), unequal = in.id();
  Value *value = r.of_type(in.id(), type), *comparator = r.of_type(in.id(), type);
  check_object(r, type);
  // LLVM compares the bits, so floating-point numbers are converted to integers.
  IRBuilder<>& ir = r.ir();
  llvm::Type* bits = type.is(Kind::floating) ? ir.getIntNTy(type.ir->getPrimitiveSizeInBits()) : type.ir;
  AtomicCmpXchgInst* exchange = ir.CreateAtomicCmpXchg(
      pointer.value, ir.CreateBitCast(comparator, bits), ir.CreateBitCast(value, bits),
      natural_alignment(r, type), ordering(r, scope, equal), load_ordering(ordering(r, scope, unequal)));
  return ir.CreateBitCast(ir.CreateExtractValue(exchange, 0), type.ir);
}

/// Reads OpAtomicFlagTestAndSet. A flag is an integer of 32 bits that is not 0 if the flag is set.
Value* read_atomic_flag_test(Reader& r, const Type&, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  Value* before = r.ir().CreateAtomicRMW(AtomicRMWInst::Xchg, pointer.value, r.ir().getInt32(1), Align(4),
                                         ordering(r, in));
  return r.ir().CreateICmpNE(before, r.ir().getInt32(0));
}

void read_atomic_flag_clear(Reader& r, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const AtomicOrdering order = store_ordering(ordering(r, in));
  r.ir().CreateAlignedStore(r.ir().getInt32(0), pointer.value, Align(4))->setAtomic(order);
}

void read_control_barrier(Reader& r, Operands in) {
  const std::uint64_t execution = r.execution_scope(in.id());
  const Id scope = in.id();
  const std::uint64_t memory =
      r.is_constant_number(scope) ? r.constant_number(scope) : std::uint64_t(spv::ScopeDevice);
  r.scalar_integer(in.id()); // the semantics are not needed, as the library's barriers order all memory
  // The flags are CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE; `reach` is a memory_scope.
  Value* flags = r.ir().getInt32(3);
  const std::uint32_t reach = memory == spv::ScopeCrossDevice ? 3 : memory == spv::ScopeDevice ? 2 : 1;
  const char* function = execution == spv::ScopeWorkgroup  ? "_Z18work_group_barrierj12memory_scope"
                         : execution == spv::ScopeSubgroup ? "_Z17sub_group_barrierj12memory_scope"
                                                           : nullptr;
  if (!function)
    refuse("the execution scope is " + Twine(execution) + "; it must be Workgroup (2) or Subgroup (3)");
  r.call(function, llvm::Type::getVoidTy(r.context()), {flags, r.ir().getInt32(reach)});
}

/// A split barrier is implemented as a whole barrier at the place where work-items wait, and the arrival does
/// nothing: the operands are only checked.
void read_barrier_arrival(Reader& r, Operands in) {
  const Id scope = in.id();
  if (r.is_constant_number(scope) && r.constant_number(scope) != spv::ScopeWorkgroup)
    refuse("the execution scope of a split barrier must be Workgroup (2)");
  r.scalar_integer(scope);
  r.scalar_integer(in.id());
  r.scalar_integer(in.id());
}

void read_memory_barrier(Reader& r, Operands in) {
  const AtomicOrdering order = ordering(r, in);
  if (order != AtomicOrdering::Monotonic) r.ir().CreateFence(order);
}

} // namespace hostcl::compiler::spirv
