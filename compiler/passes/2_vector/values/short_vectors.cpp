#include "compiler/passes/2_vector/values/short_vectors.hpp"

#include "compiler/passes/2_vector/emission.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Splits a wide short vector: appends to `parts`, for each element, the vector of this element's values in all lanes.
void take_apart(Emission& e, Value* vector, unsigned count, SmallVectorImpl<Value*>& parts) {
  if (count == 1) return parts.push_back(vector);
  if (count % 2 != 0) {
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(e.build.CreateShuffleVector(vector, createStrideMask(i, count, e.width)));
    return;
  }
  SmallVector<Value*, 16> even, odd;
  take_apart(e, e.build.CreateShuffleVector(vector, createStrideMask(0, 2, e.width * count / 2)), count / 2,
             even);
  take_apart(e, e.build.CreateShuffleVector(vector, createStrideMask(1, 2, e.width * count / 2)), count / 2,
             odd);
  for (auto [first, second] : zip(even, odd))
    parts.append({first, second});
}

Value* put_together(Emission& e, ArrayRef<Value*> parts) {
  if (parts.size() == 1) return parts.front();
  SmallVector<Value*, 16> even, odd;
  for (unsigned i = 0; i < parts.size(); ++i)
    (i % 2 == 0 ? even : odd).push_back(parts[i]);
  Value *left = put_together(e, even), *right = put_together(e, odd);
  const unsigned count = e.width * static_cast<unsigned>(even.size());
  return e.build.CreateShuffleVector(left, right, createInterleaveMask(count, 2));
}

/// Replaces element `at` of each lane, in a wide vector with `count` elements per lane, by the lane's value of
/// `values`.
Value* place(Emission& e, Value* vector, Value* values, unsigned at, unsigned count) {
  const unsigned total = e.width * count;
  auto chosen = createSequentialMask(0, total, 0);
  for (unsigned lane = 0; lane < e.width; ++lane)
    chosen[std::size_t{lane} * count + at] = static_cast<int>(total + lane);
  Value* widened = e.build.CreateShuffleVector(values, createSequentialMask(0, e.width, total - e.width));
  return e.build.CreateShuffleVector(vector, widened, chosen);
}

std::optional<unsigned> known_index(const InsertElementInst& insert) {
  const unsigned count = Emission::elements(insert.getType());
  const auto* index = dyn_cast<ConstantInt>(insert.getOperand(2));
  if (!index || index->getLimitedValue(count) >= count) return std::nullopt;
  return static_cast<unsigned>(index->getZExtValue());
}

/// Whether the insertion is used by the next insertion of a chain only. The chain is then written at its last
/// insertion.
bool is_inner_link(const Emission& e, const InsertElementInst& insert) {
  if (!e.shape(&insert).is_varying() || !insert.hasOneUse() || !known_index(insert)) return false;
  const auto* next = dyn_cast<InsertElementInst>(insert.user_back());
  return next && next->getOperand(0) == &insert && next->getParent() == insert.getParent() &&
         known_index(*next);
}

void emit_shuffle(Emission& e, ShuffleVectorInst& shuffle) {
  const unsigned count = Emission::elements(shuffle.getOperand(0)->getType());
  SmallVector<int, 64> elements;
  for (unsigned lane = 0; lane < e.width; ++lane) {
    for (int from : shuffle.getShuffleMask()) {
      const auto element = static_cast<unsigned>(from);
      if (from < 0)
        elements.push_back(PoisonMaskElem);
      else if (element < count)
        elements.push_back(static_cast<int>(lane * count + element));
      else
        elements.push_back(static_cast<int>((e.width + lane) * count + element - count));
    }
  }
  e.set(&shuffle, e.build.CreateShuffleVector(e.vector(shuffle.getOperand(0)),
                                              e.vector(shuffle.getOperand(1)), elements));
}

} // namespace

ArrayRef<Value*> ShortVectors::parts(Value* vector, unsigned count) {
  SmallVector<Value*, 4>& known = parts_[vector];
  if (!known.empty()) return known;
  IRBuilderBase::InsertPointGuard guard(e_.build);
  e_.place_after(vector);
  take_apart(e_, vector, count, known);
  return known;
}

void ShortVectors::write_extract(ExtractElementInst& extract) {
  const auto* index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  const unsigned count = Emission::elements(extract.getVectorOperandType());
  Value* vector = e_.vector(extract.getVectorOperand());
  if (index && index->getLimitedValue(count) < count) {
    e_.set(&extract, parts(vector, count)[index->getZExtValue()]);
    return;
  }
  Value* at = e_.vector(extract.getIndexOperand());
  Value* result = nullptr;
  for (unsigned element = 0; element < count; ++element) {
    Value* now = parts(vector, count)[element];
    Value* wanted = e_.build.CreateICmpEQ(at, ConstantInt::get(at->getType(), element));
    result = result ? e_.build.CreateSelect(wanted, now, result) : now;
  }
  e_.set(&extract, result);
}

void ShortVectors::write_insert_chain(InsertElementInst& last) {
  const unsigned count = Emission::elements(last.getType());
  SmallVector<Value*, 16> chosen(count, nullptr);
  unsigned filled = 0;
  Value* base = &last;
  for (auto* insert = &last; insert; insert = dyn_cast<InsertElementInst>(base)) {
    std::optional<unsigned> index = known_index(*insert);
    if (!index || (insert != &last && !is_inner_link(e_, *insert))) break;
    Value*& part = chosen[*index];
    if (!part) {
      part = e_.vector(insert->getOperand(1));
      ++filled;
    }
    base = insert->getOperand(0);
  }
  Value* vector = e_.vector(base);
  if (isPowerOf2_32(count) && (isa<PoisonValue>(vector) || 2 * filled > count)) {
    for (unsigned i = 0; i < count; ++i)
      if (!chosen[i])
        chosen[i] = isa<PoisonValue>(vector) ? PoisonValue::get(e_.wide(last.getType()->getElementType()))
                                             : parts(vector, count)[i];
    return e_.set(&last, put_together(e_, chosen));
  }
  for (unsigned i = 0; i < count; ++i)
    if (chosen[i]) vector = place(e_, vector, chosen[i], i, count);
  e_.set(&last, vector);
}

void ShortVectors::write_insert(InsertElementInst& insert) {
  if (is_inner_link(e_, insert)) return;
  if (known_index(insert)) return write_insert_chain(insert);
  const unsigned count = Emission::elements(insert.getType());
  Value* vector = e_.vector(insert.getOperand(0));
  Value* values = e_.vector(insert.getOperand(1));
  // Inactive lanes may have an index out of range, which matches no element.
  const auto repeated = createReplicatedMask(count, e_.width);
  Value* at = e_.build.CreateShuffleVector(e_.vector(insert.getOperand(2)), repeated);
  SmallVector<Constant*, 64> own;
  for (unsigned i = 0; i < e_.width * count; ++i)
    own.push_back(ConstantInt::get(at->getType()->getScalarType(), i % count));
  Value* here = e_.build.CreateICmpEQ(at, ConstantVector::get(own));
  e_.set(&insert, e_.build.CreateSelect(here, e_.build.CreateShuffleVector(values, repeated), vector));
}

void ShortVectors::write(Instruction& instruction) {
  if (auto* extract = dyn_cast<ExtractElementInst>(&instruction)) return write_extract(*extract);
  if (auto* insert = dyn_cast<InsertElementInst>(&instruction)) return write_insert(*insert);
  emit_shuffle(e_, cast<ShuffleVectorInst>(instruction));
}

} // namespace hostcl::compiler
