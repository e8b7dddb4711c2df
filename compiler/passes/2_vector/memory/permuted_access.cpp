#include "compiler/passes/2_vector/memory/permuted_access.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/access.hpp"
#include "compiler/passes/2_vector/memory/permutation.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Limit for the windows of a kernel. The code of a window is about a hundred instructions, which LLVM has to hoist out
/// of loops.
constexpr unsigned most_windows = 16;

/// The CPU's instruction that permutes whole vectors with elements of `bits` bits. LLVM would recognise element-wise
/// extraction and insertion as a permutation, but not if the index vector is computed outside of a loop.
Intrinsic::ID permutation(const Emission& e, unsigned bits) {
  if (!e.cpu.permutes || bits * e.width > e.cpu.vector_bits) return Intrinsic::not_intrinsic;
  return whole_permutation(e.width, bits);
}

/// values[lanes & width - 1]
Value* permute(Emission& e, Value* values, Value* lanes) {
  auto& build = e.build;
  Type* type = values->getType();
  const unsigned bits = type->getScalarSizeInBits();
  auto* numbers = FixedVectorType::get(build.getIntNTy(bits), e.width);
  Value* result = build.CreateIntrinsic(
      permutation(e, bits), {}, {build.CreateBitCast(values, numbers), build.CreateZExt(lanes, numbers)});
  return build.CreateBitCast(result, type);
}

Value* number(Emission& e, std::uint64_t value) {
  return ConstantInt::get(FixedVectorType::get(e.build.getInt32Ty(), e.width), value);
}

/// Inverts `distances`: finds the lane of each position of the window. `used` is false for positions without a lane.
void invert(Emission& e, Window& window, unsigned rows) {
  auto& build = e.build;
  for (unsigned row = 0; row < rows; ++row) {
    Value* places = e.ramp(build.getInt32(row * e.width), 1);
    Value* lanes = number(e, ~std::uint64_t{0});
    for (unsigned lane = 0; lane < e.width; ++lane) {
      Value* place = build.CreateShuffleVector(window.distances, SmallVector<int, 64>(e.width, int(lane)));
      lanes = build.CreateSelect(build.CreateICmpEQ(place, places), number(e, lane), lanes);
    }
    window.used.push_back(build.CreateICmpSGE(lanes, number(e, 0)));
    window.lanes.push_back(lanes);
  }
}

/// Whether each lane has a separate position in the window (i1): as many positions are used as there are lanes.
Value* each_has_place(Emission& e, const Window& window) {
  auto& build = e.build;
  Value* count = build.getIntN(e.width, 0);
  for (Value* used : window.used)
    count = build.CreateAdd(count, build.CreateUnaryIntrinsic(Intrinsic::ctpop, e.mask_bits(used)));
  return build.CreateICmpEQ(count, build.getIntN(e.width, e.width));
}

/// The mask of active lanes, permuted to the positions of a row. In blocks that all work-items execute, a full vector
/// uses the loop-invariant `used` instead.
Value* mask_of(Emission& e, const Window& window, unsigned row) {
  auto& build = e.build;
  auto* numbers = FixedVectorType::get(build.getInt32Ty(), e.width);
  Value* mask = permute(e, build.CreateSExt(e.mask, numbers), window.lanes[row]);
  mask = build.CreateAnd(build.CreateICmpNE(mask, number(e, 0)), window.used[row]);
  return isa<CallInst>(e.mask) ? build.CreateSelect(e.all(e.mask), window.used[row], mask) : mask;
}

Value* row_address(Emission& e, const Window& window, Type* type, unsigned row) {
  return e.build.CreateGEP(type, window.base, e.build.getInt64(std::uint64_t{row} * e.width));
}

} // namespace

Window PermutedAccesses::write_window(Value* pointer, const LaneOffsets::Span& span, unsigned bytes) {
  auto& build = e_.build;
  BaseAndOffsets pattern = offsets_.write_address_of(pointer, span);
  Window window;
  window.bytes = bytes;
  window.base = pattern.base;
  window.distances = build.CreateLShr(pattern.distances, Log2_32(bytes));
  Value* distance = build.CreateExtractElement(window.distances, std::uint64_t{0});
  window.first = build.CreateGEP(build.getIntNTy(bytes * 8), window.base,
                                 build.CreateZExt(distance, build.getInt64Ty()));
  window.is_row = e_.all(build.CreateICmpEQ(window.distances, e_.ramp(distance, 1)));
  const bool one_row = span.low >= 0 && span.high < std::int64_t{e_.width} * bytes;
  invert(e_, window, one_row ? 1 : 2);
  Value* fits = build.CreateOr(window.is_row, each_has_place(e_, window));
  window.holds = build.CreateFreeze(build.CreateAnd(pattern.holds, fits));
  return window;
}

const Window* PermutedAccesses::find(const Instruction& access) {
  if (!e_.switches.is_on(Heuristic::permuted_access)) return nullptr;
  const Type* type = getLoadStoreType(&access);
  Value* pointer = const_cast<Value*>(getLoadStorePointerOperand(&access));
  if (!(type->isIntegerTy() || type->isFloatingPointTy())) return nullptr;
  if (permutation(e_, type->getScalarSizeInBits()) == Intrinsic::not_intrinsic) return nullptr;
  const unsigned bytes = type->getScalarSizeInBits() / 8;
  const auto key = std::pair<const Value*, unsigned>(pointer, bytes);
  if (auto known = windows_.find(key); known != windows_.end()) return &known->second;
  const auto span = offsets_.span(pointer);
  if (!span || !span->mixed || span->unit % bytes != 0 || windows_.size() == most_windows) return nullptr;
  // The window's code is written right after the address, so that it is available to all accesses.
  IRBuilderBase::InsertPointGuard guard(e_.build);
  e_.place_after(e_.vector(pointer));
  note_change(Heuristic::permuted_access);
  return &windows_.try_emplace(key, write_window(pointer, *span, bytes)).first->second;
}

Value* load_permuted(Emission& e, LoadInst& load, const Window& window) {
  auto& build = e.build;
  Type* type = load.getType();
  Value* result = nullptr;
  for (unsigned row = 0; row < window.lanes.size(); ++row) {
    Value* mask = mask_of(e, window, row);
    auto* now = build.CreateMaskedLoad(e.wide(type), row_address(e, window, type, row),
                                       commonAlignment(load.getAlign(), window.bytes), mask);
    keep_metadata(now, load);
    Value* lanes = permute(e, now, window.distances);
    Value* here = build.CreateICmpULT(window.distances, number(e, e.width));
    result = result ? build.CreateSelect(here, result, lanes) : lanes;
  }
  return result;
}

void store_permuted(Emission& e, StoreInst& store, const Window& window) {
  Value* values = e.vector(store.getValueOperand());
  Type* type = store.getValueOperand()->getType();
  for (unsigned row = 0; row < window.lanes.size(); ++row) {
    Value* mask = mask_of(e, window, row);
    keep_metadata(e.build.CreateMaskedStore(permute(e, values, window.lanes[row]),
                                            row_address(e, window, type, row),
                                            commonAlignment(store.getAlign(), window.bytes), mask),
                  store);
  }
}

} // namespace hostcl::compiler
