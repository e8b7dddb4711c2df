#include "compiler/passes/2_vector/memory/memory.hpp"

#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/memory/append_stores.hpp"
#include "compiler/passes/2_vector/shapes/private_arrays.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The type of the units in which a value is gathered: the element type, or for a short vector an integer of 64 or 32
/// bits that holds several elements.
Type* gather_unit(Emission& e, Type* type) {
  if (!type->isVectorTy()) return type;
  std::uint64_t bits = e.layout.getTypeSizeInBits(type).getFixedValue();
  for (unsigned unit : {64u, 32u})
    if (bits % unit == 0 && unit > e.layout.getTypeSizeInBits(type->getScalarType()))
      return e.build.getIntNTy(unit);
  return type->getScalarType();
}

struct Scattered {
  Type* units;     ///< vector of the units of all lanes, lane 0's units first
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
  const auto lanes = createReplicatedMask(count, e.width);
  SmallVector<Constant*, 64> offsets;
  for (unsigned i = 0; i < count * e.width; ++i)
    offsets.push_back(e.build.getInt64(i % count * size));
  Value* each = e.build.CreateShuffleVector(pointers, lanes);
  each = e.build.CreateGEP(e.build.getInt8Ty(), each, ConstantVector::get(offsets));
  return {units, each, e.build.CreateShuffleVector(e.mask, lanes), commonAlignment(alignment, size)};
}

/// Gathers 8-bit or 16-bit elements by gathering the aligned 32-bit words around them, the smallest elements that CPUs
/// gather. The aligned word is on the same page as the element, so the access cannot fault.
Value* gather_narrow(Emission& e, LoadInst& load, Value* pointers) {
  note_change(Heuristic::narrow_gathers);
  auto& build = e.build;
  const unsigned bits = load.getType()->getScalarSizeInBits();
  auto* word = FixedVectorType::get(build.getInt32Ty(), e.width);
  auto* address = FixedVectorType::get(build.getInt64Ty(), e.width);
  Value* at = build.CreatePtrToInt(pointers, address);
  Value* words = build.CreateIntToPtr(build.CreateAnd(at, ConstantInt::get(address, ~std::uint64_t{3})),
                                      pointers->getType());
  Value* now = build.CreateMaskedGather(word, words, Align(4), e.mask);
  Value* byte = build.CreateAnd(build.CreateTrunc(at, word), ConstantInt::get(word, 3));
  now = build.CreateLShr(now, build.CreateShl(byte, ConstantInt::get(word, 3)));
  now = build.CreateTrunc(now, FixedVectorType::get(build.getIntNTy(bits), e.width));
  return build.CreateBitCast(now, e.wide(load.getType()));
}

// Gains of narrow_gathers on an Emerald Rapids Xeon: dots of rows of bytes 2.0, NV12 to RGB 1.5 times as fast.
/// Whether the load is of 8 or 16 bits that cannot cross a 32-bit word, and the CPU gathers words.
bool gathers_narrow(const Emission& e, const LoadInst& load) {
  const unsigned bits = load.getType()->getScalarSizeInBits();
  return e.switches.is_on(Heuristic::narrow_gathers) && !load.getType()->isVectorTy() &&
         (bits == 8 || bits == 16) && e.cpu.gathers && load.getAlign().value() * 8 >= bits;
}

/// Writes a gather or scatter. @returns the loaded lanes; null for stores
Value* write_scattered(Emission& e, Instruction& access, Value* pointers) {
  auto* load = dyn_cast<LoadInst>(&access);
  if (load && gathers_narrow(e, *load)) return gather_narrow(e, *load, pointers);
  Type* type = getLoadStoreType(&access);
  const Scattered all = scattered_access(e, type, pointers, getLoadStoreAlignment(&access));
  if (load) {
    auto* now = e.build.CreateMaskedGather(all.units, all.pointers, all.alignment, all.mask);
    keep_metadata(now, access);
    return e.build.CreateBitCast(now, e.wide(type));
  }
  Value* units = e.build.CreateBitCast(e.vector(access.getOperand(0)), all.units);
  keep_metadata(e.build.CreateMaskedScatter(units, all.pointers, all.alignment, all.mask), access);
  return nullptr;
}

/// Writes contiguous and strided accesses. `step_` is the stride in elements; 1 means contiguous.
class WideAccess {
public:
  WideAccess(Emission& e, const Instruction& access, std::int64_t stride)
      : e_(e), access_(access), type_(getLoadStoreType(&access)), stride_(stride), reversed_(stride < 0) {
    const auto distance = static_cast<std::uint64_t>(std::abs(stride));
    step_ = static_cast<unsigned>(std::abs(stride) / bytes_of(access));
    alignment_ = commonAlignment(getLoadStoreAlignment(&access), distance);
    note_change(Heuristic::strided_access, step_ > 1);
  }

  Value* load(Value* first) {
    Type* all = step_ == 1 ? e_.wide(type_) : FixedVectorType::get(type_, e_.width * step_);
    auto* now = e_.build.CreateMaskedLoad(all, start(first), alignment_, mask());
    keep_metadata(now, access_);
    if (reversed_) return e_.build.CreateVectorReverse(now);
    return step_ == 1 ? now : e_.build.CreateShuffleVector(now, createStrideMask(0, step_, e_.width));
  }

  void store(Value* values, Value* first) {
    if (reversed_) values = e_.build.CreateVectorReverse(values);
    if (step_ > 1) values = e_.build.CreateShuffleVector(values, with_gaps(PoisonMaskElem));
    keep_metadata(e_.build.CreateMaskedStore(values, start(first), alignment_, mask()), access_);
  }

private:
  /// The lane of each element in memory, `gap` for the elements between lanes.
  SmallVector<int, 64> with_gaps(int gap) {
    SmallVector<int, 64> places;
    for (unsigned i = 0; i < e_.width * step_; ++i)
      places.push_back(i % step_ == 0 ? static_cast<int>(i / step_) : gap);
    return places;
  }

  Value* start(Value* first) {
    if (!reversed_) return first;
    auto offset = static_cast<std::uint64_t>(stride_) * (e_.width - 1);
    return e_.build.CreateGEP(e_.build.getInt8Ty(), first, e_.build.getInt64(offset));
  }

  Value* mask() {
    if (reversed_) return e_.build.CreateVectorReverse(e_.mask);
    if (step_ == 1) return e_.mask_for(type_, e_.mask);
    return e_.build.CreateShuffleVector(e_.mask, Constant::getNullValue(e_.mask->getType()),
                                        with_gaps(static_cast<int>(e_.width)));
  }

  Emission& e_;
  const Instruction& access_;
  Type* type_;
  std::int64_t stride_;
  bool reversed_;
  unsigned step_;
  Align alignment_;
};

Value* load_same(Emission& e, LoadInst& load, Value* address) {
  auto* now = e.build.CreateAlignedLoad(load.getType(), address, load.getAlign());
  keep_metadata(now, load);
  return e.spread(now, Shape::make_uniform());
}

/// Copies the computation of the lanes' addresses into the current block. The original is dead if only one side of a
/// branch needs the addresses.
Value* addresses_here(Emission& e, Value* lanes) {
  if (!isa<GetElementPtrInst, ZExtInst, SExtInst>(lanes)) return lanes;
  Instruction* copy = cast<Instruction>(lanes)->clone();
  for (Use& operand : copy->operands())
    operand = addresses_here(e, operand);
  return e.build.Insert(copy);
}

} // namespace

Value* MemoryAccesses::write_wide(Instruction& access, Value* first, std::int64_t stride) {
  WideAccess wide(e_, access, stride);
  auto* store = dyn_cast<StoreInst>(&access);
  if (!store) return wide.load(first);
  Value* values = e_.vector(store->getValueOperand());
  nontemporal_.write(*store, values, first, stride, [&] { wide.store(values, first); });
  return nullptr;
}

Value* MemoryAccesses::write_permuted(Instruction& access, const Window& window) {
  if (auto* load = dyn_cast<LoadInst>(&access)) return load_permuted(e_, *load, window);
  return store_permuted(e_, cast<StoreInst>(access), window), nullptr;
}

Value* MemoryAccesses::write_guessed(Instruction& access, const Recipe& recipe, Value* pointers) {
  if (recipe.form == Form::scattered) return write_scattered(e_, access, pointers);
  note_change(Heuristic::likely_strides, recipe.confidence == Confidence::guess);
  const Guess guess = test_guess(e_, affine_, getLoadStorePointerOperand(&access), recipe);
  auto row = [&] {
    return recipe.form == Form::same ? load_same(e_, cast<LoadInst>(access), guess.first)
                                     : write_wide(access, guess.first, recipe.stride);
  };
  auto scattered = [&] { return write_scattered(e_, access, addresses_here(e_, pointers)); };
  return e_.either(guess.holds, {"row", row}, {"scattered", scattered});
}

/// Writes an access whose stride is not certain. At run time, the access is made by permutations if the elements of all
/// lanes lie in one window, in the form of the recipe if the lanes have the recipe's stride, and otherwise as a gather
/// or scatter.
Value* MemoryAccesses::write_unknown(Instruction& access, const Recipe& recipe, Value* pointer) {
  Value* pointers = e_.vector(pointer); // written at the address, before the branch
  if (auto* store = dyn_cast<StoreInst>(&access)) {
    e_.vector(store->getValueOperand());
    auto scattered = [&] { write_scattered(e_, access, addresses_here(e_, pointers)); };
    if (recipe.form == Form::scattered && appends_.write(*store, scattered)) return nullptr;
  }
  const bool may_have_window =
      recipe.form == Form::scattered ||
      (recipe.form == Form::contiguous && recipe.confidence == Confidence::guess && recipe.stride > 0);
  const Window* window = may_have_window ? permuted_.find(access) : nullptr;
  if (!window) return write_guessed(access, recipe, pointers);
  auto row = [&] { return write_wide(access, window->first, window->bytes); };
  auto permuted = [&] { return write_permuted(access, *window); };
  auto known = [&] { return e_.either(window->is_row, {"row", row}, {"permuted", permuted}); };
  auto guessed = [&] { return write_guessed(access, recipe, addresses_here(e_, pointers)); };
  return e_.either(window->holds, {"window", known}, {"unknown", guessed});
}

void MemoryAccesses::write(Instruction& access) {
  const Recipe& recipe = e_.plan.of(access);
  Value* pointer = getLoadStorePointerOperand(&access);
  const bool is_known = recipe.form != Form::scattered && recipe.confidence == Confidence::known;
  Value* lanes = is_known ? write_wide(access, e_.scalar(pointer), recipe.stride)
                          : write_unknown(access, recipe, pointer);
  if (lanes) e_.set(&access, lanes);
}

void MemoryAccesses::write_last(StoreInst& store) {
  Value* value = store.getValueOperand();
  Value* last = e_.shape(value).is_uniform()
                    ? e_.scalar(value)
                    : e_.extract_lane(e_.vector(value), e_.last_active(), value->getType());
  keep_metadata(e_.build.CreateAlignedStore(last, e_.scalar(store.getPointerOperand()), store.getAlign()),
                store);
}

void MemoryAccesses::write_variable(AllocaInst& variable) {
  const std::uint64_t size =
      variable.getAllocationSize(e_.layout).value_or(TypeSize::getZero()).getFixedValue();
  const std::uint64_t count = interleaved_lane_bytes(variable) ? size : copy_stride(variable) * e_.width;
  auto* copies = new AllocaInst(ArrayType::get(e_.build.getInt8Ty(), count), variable.getAddressSpace(),
                                nullptr, std::max(variable.getAlign(), Align(64)), variable.getName(),
                                e_.target.getEntryBlock().begin());
  e_.set(&variable, copies);
}

} // namespace hostcl::compiler
