// Values of short vector type: lane-major, so that elements of a lane are moved by shuffles.
//
//   %y = extractelement <2 x float> %v, i32 1      =>   %y = shufflevector <8 x float> %v, <1, 3, 5, 7>
//
// Tests: tests/passes/vectorise_short_vectors.ll.

#include "compiler/passes/vectorise/emission.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

Value* element_of_lanes(Emission& e, Value* vector, unsigned element, unsigned count) {
  SmallVector<int, 64> from;
  for (unsigned lane = 0; lane < e.width; ++lane)
    from.push_back(static_cast<int>(lane * count + element));
  return e.build.CreateShuffleVector(vector, from);
}

/// One value for each lane, repeated for each of its elements.
Value* repeat(Emission& e, Value* values, unsigned count) {
  SmallVector<int, 64> from;
  for (unsigned i = 0; i < e.width * count; ++i)
    from.push_back(static_cast<int>(i / count));
  return e.build.CreateShuffleVector(values, from);
}

void emit_extract(Emission& e, ExtractElementInst& extract) {
  const auto* index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  const unsigned count = Emission::elements(extract.getVectorOperandType());
  Value* vector = e.vector(extract.getVectorOperand());
  if (index && index->getLimitedValue(count) < count) {
    e.set(&extract, element_of_lanes(e, vector, static_cast<unsigned>(index->getZExtValue()), count));
    return;
  }
  Value* at = e.vector(extract.getIndexOperand());
  Value* result = nullptr;
  for (unsigned element = 0; element < count; ++element) {
    Value* now = element_of_lanes(e, vector, element, count);
    Value* wanted = e.build.CreateICmpEQ(at, ConstantInt::get(at->getType(), element));
    result = result ? e.build.CreateSelect(wanted, now, result) : now;
  }
  e.set(&extract, result);
}

/// Brings `values`, one for each lane, to element `at` of each lane of a vector with `count` elements.
Value* place(Emission& e, Value* vector, Value* values, unsigned at, unsigned count) {
  SmallVector<int, 64> widened, chosen;
  const unsigned total = e.width * count;
  for (unsigned i = 0; i < total; ++i) {
    widened.push_back(i < e.width ? static_cast<int>(i) : PoisonMaskElem);
    chosen.push_back(static_cast<int>(i % count == at ? total + i / count : i));
  }
  return e.build.CreateShuffleVector(vector, e.build.CreateShuffleVector(values, widened), chosen);
}

void emit_insert(Emission& e, InsertElementInst& insert) {
  const auto* index = dyn_cast<ConstantInt>(insert.getOperand(2));
  const unsigned count = Emission::elements(insert.getType());
  Value* vector = e.vector(insert.getOperand(0));
  Value* values = e.vector(insert.getOperand(1));
  if (index && index->getLimitedValue(count) < count) {
    e.set(&insert, place(e, vector, values, static_cast<unsigned>(index->getZExtValue()), count));
    return;
  }
  // An index out of range, which lanes that are not active may have, changes nothing.
  Value* at = repeat(e, e.vector(insert.getOperand(2)), count);
  SmallVector<Constant*, 64> own;
  for (unsigned i = 0; i < e.width * count; ++i)
    own.push_back(ConstantInt::get(at->getType()->getScalarType(), i % count));
  Value* here = e.build.CreateICmpEQ(at, ConstantVector::get(own));
  e.set(&insert, e.build.CreateSelect(here, repeat(e, values, count), vector));
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

void emit_short_vector(Emission& e, Instruction& instruction) {
  if (auto* extract = dyn_cast<ExtractElementInst>(&instruction)) return emit_extract(e, *extract);
  if (auto* insert = dyn_cast<InsertElementInst>(&instruction)) return emit_insert(e, *insert);
  emit_shuffle(e, cast<ShuffleVectorInst>(instruction));
}

} // namespace hostcl::compiler
