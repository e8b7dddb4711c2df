// Reads arrays whose length a kernel computes (SPV_INTEL_variable_length_array). The private memory of a
// kernel must be known before it runs, so each function with such arrays has an arena of a fixed size for
// them, used as a stack. If an array does not fit, the launch ends.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr std::uint64_t arena_bytes = 16 << 10, arena_alignment = 128;

const Reader::Arena& arena_of(Reader& r) {
  Reader::Arena& arena = r.arena();
  if (arena.memory) return arena;
  BasicBlock& entry = r.function().getEntryBlock();
  IRBuilder<> at_begin(&entry, entry.getFirstInsertionPt());
  arena.memory = at_begin.CreateAlloca(ArrayType::get(at_begin.getInt8Ty(), arena_bytes), nullptr, "arrays");
  arena.memory->setAlignment(Align(arena_alignment));
  arena.used = at_begin.CreateAlloca(at_begin.getInt64Ty(), nullptr, "arrays.used");
  at_begin.CreateStore(at_begin.getInt64(0), arena.used);
  return arena;
}

/// Ends the launch if the condition holds. Otherwise code continues in a new block.
void abort_if(Reader& r, Value* condition, StringRef why) {
  IRBuilder<>& ir = r.ir();
  BasicBlock *failed = r.new_block(), *next = r.new_block();
  ir.CreateCondBr(condition, failed, next);
  ir.SetInsertPoint(failed);
  write_abort(r, why);
  ir.SetInsertPoint(next);
}

} // namespace

Value* read_variable_length_array(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::pointer) || type.storage != spv::StorageClassFunction)
    refuse("the result is not a pointer to the storage class Function");
  const bool is_untyped = in.op() == opcodes::OpUntypedVariableLengthArrayINTEL;
  const Type* element = is_untyped ? &r.sized_type(in.id()) : type.element;
  if (!element || !element->ir || !element->ir->isSized()) refuse("the elements have a type without a size");
  const TypedValue number = r.scalar_integer(in.id());
  if (number.type->ir->getIntegerBitWidth() > 64) refuse("the length has more than 64 bits");
  IRBuilder<>& ir = r.ir();
  Value* length = ir.CreateZExt(number.value, ir.getInt64Ty());
  const std::uint64_t bytes = std::max<std::uint64_t>(r.layout().getTypeAllocSize(element->ir), 1);
  const Align alignment = r.layout().getABITypeAlign(element->ir);
  if (bytes > arena_bytes) refuse("an element has more than " + Twine(arena_bytes) + " bytes");
  const Reader::Arena& arena = arena_of(r);
  Value* used = ir.CreateLoad(ir.getInt64Ty(), arena.used);
  Value* begin = ir.CreateAnd(ir.CreateAdd(used, ir.getInt64(alignment.value() - 1)),
                              ir.getInt64(~(alignment.value() - 1)));
  // `begin` is at most the size of the arena, because this size is a multiple of each alignment.
  Value* room = ir.CreateUDiv(ir.CreateSub(ir.getInt64(arena_bytes), begin), ir.getInt64(bytes));
  abort_if(r, ir.CreateICmpUGT(length, room), "arrays of variable length have more than 16 KiB");
  ir.CreateStore(ir.CreateAdd(begin, ir.CreateMul(length, ir.getInt64(bytes))), arena.used);
  return ir.CreateInBoundsGEP(ir.getInt8Ty(), arena.memory, begin);
}

/// Returns how much of the arena is in use, as a pointer that points to no memory.
Value* read_memory_mark(Reader& r, const Type& type, Operands in) {
  require_scalar(type, Kind::pointer);
  Value* used = r.ir().CreateLoad(r.ir().getInt64Ty(), arena_of(r).used);
  return r.ir().CreateIntToPtr(used, type.ir);
}

void read_memory_release(Reader& r, Operands in) {
  Value* used = r.ir().CreatePtrToInt(r.pointer(in.id()).value, r.ir().getInt64Ty());
  // The value may come from a pointer that is not a mark, so it is limited to the size of the arena.
  Value* most = r.ir().getInt64(arena_bytes);
  r.ir().CreateStore(r.ir().CreateSelect(r.ir().CreateICmpULT(used, most), used, most), arena_of(r).used);
}

} // namespace hostcl::compiler::spirv
