// Loads, stores and private variables.
//
// By the shape of the address: uniform addresses take one scalar access, of the last active lane for a store;
// addresses whose stride is the element's size one wide access (reversed for the negative size); all others
// gather or scatter. All but uniform ones are masked, so they need no active lane. A short vector is loaded
// as one block per lane. Volatile accesses run lane by lane, in order.
//
// A private variable has one copy for each lane, side by side, so a uniform index into it is a strided
// access. Tests: tests/passes/vectorise_memory.ll.

#include "compiler/passes/vectorise/emission.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

enum class Access { scalar, contiguous, reversed, scattered, lane_by_lane };

bool has_plain_layout(const DataLayout& layout, Type* type) {
  Type* element = type->getScalarType();
  if (type->isAggregateType() || !VectorType::isValidElementType(element) || element->isX86_FP80Ty())
    return false;
  std::uint64_t bits = layout.getTypeSizeInBits(element).getFixedValue();
  return bits % 8 == 0 && isPowerOf2_64(bits) && bits <= 64 &&
         !(type->isVectorTy() && element->isPointerTy());
}

Access access_of(const Emission& e, const Instruction& instruction) {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  Type* type = getLoadStoreType(&instruction);
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (!(load ? load->isSimple() : cast<StoreInst>(instruction).isSimple())) return Access::lane_by_lane;
  Shape shape = e.shape(pointer);
  if (shape.is_uniform()) return Access::scalar;
  if (!has_plain_layout(e.layout, type)) return Access::lane_by_lane;
  auto size = static_cast<std::int64_t>(e.layout.getTypeSizeInBits(type).getFixedValue() / 8);
  if (shape.is_affine() && shape.stride == size) return Access::contiguous;
  if (shape.is_affine() && shape.stride == -size && !type->isVectorTy()) return Access::reversed;
  return Access::scattered;
}

void keep_metadata(Instruction* now, const Instruction& old) {
  constexpr unsigned kinds[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};
  now->copyMetadata(old, kinds);
}

/// The integer type in whose units a short vector is gathered, or the element type.
Type* gather_unit(Emission& e, Type* type) {
  if (!type->isVectorTy()) return type;
  std::uint64_t bits = e.layout.getTypeSizeInBits(type).getFixedValue();
  for (unsigned unit : {64u, 32u})
    if (bits % unit == 0 && unit > e.layout.getTypeSizeInBits(type->getScalarType()))
      return e.build.getIntNTy(unit);
  return type->getScalarType();
}

struct Scattered {
  Type* units;     ///< all lanes', lane-major
  Value* pointers; ///< of each unit
  Value* mask;
  Align alignment;
};

Scattered scattered_access(Emission& e, Type* type, Value* pointers, Align alignment) {
  Type* unit = gather_unit(e, type);
  std::uint64_t size = e.layout.getTypeSizeInBits(unit).getFixedValue() / 8;
  auto count = static_cast<unsigned>(e.layout.getTypeSizeInBits(type).getFixedValue() / 8 / size);
  auto* units = FixedVectorType::get(unit, count * e.width);
  if (count == 1) return {units, pointers, e.mask, alignment};
  SmallVector<int, 64> lanes;
  SmallVector<Constant*, 64> offsets;
  for (unsigned i = 0; i < count * e.width; ++i) {
    lanes.push_back(static_cast<int>(i / count));
    offsets.push_back(e.build.getInt64(i % count * size));
  }
  Value* each = e.build.CreateShuffleVector(pointers, lanes);
  each = e.build.CreateGEP(e.build.getInt8Ty(), each, ConstantVector::get(offsets));
  return {units, each, e.build.CreateShuffleVector(e.mask, lanes), commonAlignment(alignment, size)};
}

Value* first_in_memory(Emission& e, Value* pointer, Access access, Shape shape) {
  Value* base = e.scalar(pointer);
  if (access != Access::reversed) return base;
  return e.build.CreateGEP(e.build.getInt8Ty(), base,
                           e.build.getInt64(static_cast<std::uint64_t>(shape.stride) * (e.width - 1)));
}

Align wide_alignment(Align alignment, Shape shape) {
  return commonAlignment(alignment, static_cast<std::uint64_t>(std::abs(shape.stride)));
}

} // namespace

bool is_masked_access(const Emission& e, const Instruction& instruction) {
  Access access = access_of(e, instruction);
  return access == Access::contiguous || access == Access::reversed;
}

void emit_variable(Emission& e, AllocaInst& variable) {
  auto size = variable.getAllocationSize(e.layout);
  if (!size || size->isScalable()) return e.fail(variable, "a private array of variable size");
  auto* bytes = ArrayType::get(e.build.getInt8Ty(), e.copy_stride(variable) * e.width);
  auto* copies =
      new AllocaInst(bytes, variable.getAddressSpace(), nullptr, std::max(variable.getAlign(), Align(64)),
                     variable.getName(), e.target.getEntryBlock().begin());
  e.set(&variable, copies);
}

namespace {

Value* load_scattered(Emission& e, LoadInst& load) {
  Type* type = load.getType();
  Scattered all = scattered_access(e, type, e.vector(load.getPointerOperand()), load.getAlign());
  auto* now = e.build.CreateMaskedGather(all.units, all.pointers, all.alignment, all.mask);
  keep_metadata(now, load);
  return e.build.CreateBitCast(now, e.wide(type));
}

Value* load_row(Emission& e, LoadInst& load, Access access) {
  Shape shape = e.shape(load.getPointerOperand());
  Type* type = load.getType();
  Value* mask = access == Access::reversed ? e.build.CreateVectorReverse(e.mask) : e.mask_for(type, e.mask);
  auto* now =
      e.build.CreateMaskedLoad(e.wide(type), first_in_memory(e, load.getPointerOperand(), access, shape),
                               wide_alignment(load.getAlign(), shape), mask);
  keep_metadata(now, load);
  return access == Access::reversed ? e.build.CreateVectorReverse(now) : now;
}

void store_scattered(Emission& e, StoreInst& store) {
  Value* value = store.getValueOperand();
  Scattered all =
      scattered_access(e, value->getType(), e.vector(store.getPointerOperand()), store.getAlign());
  Value* units = e.build.CreateBitCast(e.vector(value), all.units);
  keep_metadata(e.build.CreateMaskedScatter(units, all.pointers, all.alignment, all.mask), store);
}

void store_row(Emission& e, StoreInst& store, Access access) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Shape shape = e.shape(pointer);
  Value* values = e.vector(value);
  Value* mask = e.mask_for(value->getType(), e.mask);
  if (access == Access::reversed) {
    values = e.build.CreateVectorReverse(values);
    mask = e.build.CreateVectorReverse(e.mask);
  }
  auto* now = e.build.CreateMaskedStore(values, first_in_memory(e, pointer, access, shape),
                                        wide_alignment(store.getAlign(), shape), mask);
  keep_metadata(now, store);
}

/// Asks whether a checked address is a row this time; the builder is left in the branch for rows.
struct RowOrScattered {
  BasicBlock *row, *scattered, *join;

  RowOrScattered(Emission& e, Value* pointer)
      : row(e.new_block("row")), scattered(e.new_block("scattered")), join(e.new_block("joined")) {
    e.build.CreateCondBr(e.is_affine_now(pointer), row, scattered);
    e.build.SetInsertPoint(row);
  }
  void now_scattered(Emission& e) {
    e.build.CreateBr(join);
    e.build.SetInsertPoint(scattered);
  }
  void done(Emission& e) {
    e.build.CreateBr(join);
    e.build.SetInsertPoint(join);
  }
};

} // namespace

void emit_load(Emission& e, LoadInst& load) {
  Access access = access_of(e, load);
  if (access == Access::scalar) return emit_scalar(e, load);
  if (access == Access::lane_by_lane) return emit_lane_by_lane(e, load);
  if (access == Access::scattered) return e.set(&load, load_scattered(e, load));
  if (!e.shape(load.getPointerOperand()).checked) return e.set(&load, load_row(e, load, access));
  e.vector(load.getPointerOperand()); // made where the address is, not in one of the branches
  RowOrScattered branches(e, load.getPointerOperand());
  Value* row = load_row(e, load, access);
  branches.now_scattered(e);
  Value* scattered = load_scattered(e, load);
  branches.done(e);
  PHINode* now = e.build.CreatePHI(row->getType(), 2);
  now->addIncoming(row, branches.row);
  now->addIncoming(scattered, branches.scattered);
  e.set(&load, now);
}

void emit_store(Emission& e, StoreInst& store) {
  Access access = access_of(e, store);
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  if (access == Access::lane_by_lane) return emit_lane_by_lane(e, store);
  if (access == Access::scalar) {
    Value* last = e.shape(value).is_uniform()
                      ? e.scalar(value)
                      : e.extract_lane(e.vector(value), e.last_active(), value->getType());
    return keep_metadata(e.build.CreateAlignedStore(last, e.scalar(pointer), store.getAlign()), store);
  }
  if (access == Access::scattered) return store_scattered(e, store);
  if (!e.shape(pointer).checked) return store_row(e, store, access);
  e.vector(pointer);
  e.vector(value);
  RowOrScattered branches(e, pointer);
  store_row(e, store, access);
  branches.now_scattered(e);
  store_scattered(e, store);
  branches.done(e);
}

} // namespace hostcl::compiler
