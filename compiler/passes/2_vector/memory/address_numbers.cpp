#include "compiler/passes/2_vector/memory/address_numbers.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/6_host/llvm_22/plain_addresses.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned address_bits = 64;

/// A pointer of the source, decomposed into a base and the address computations that lead from the base to the pointer.
struct Place {
  Value* base = nullptr;
  SmallVector<GEPOperator*, 4> steps; ///< from the pointer to its base
  bool stays_inside = true;           ///< all steps are inbounds
};

/// Decomposes a pointer. Casts between address spaces are ignored, because they do not change the address.
Place place_of(Value* pointer) {
  Place place{pointer, {}};
  for (;;) {
    if (auto* step = dyn_cast<GEPOperator>(place.base)) {
      place.steps.push_back(step);
      place.stays_inside &= step->isInBounds();
      place.base = step->getPointerOperand();
    } else if (auto* cast = dyn_cast<AddrSpaceCastOperator>(place.base)) {
      place.base = cast->getPointerOperand();
    } else {
      return place;
    }
  }
}

/// The offset from the base in bytes, for all lanes; null if it cannot be collected.
Value* offset_of(Emission& e, const Place& place) {
  APInt constant(address_bits, 0);
  SmallMapVector<Value*, APInt, 4> scales;
  for (GEPOperator* step : place.steps)
    if (!step->collectOffset(e.layout, address_bits, scales, constant)) return nullptr;
  Value* sum = nullptr;
  for (const auto& [index, scale] : scales) {
    Value* term = e.build.CreateSExtOrTrunc(e.vector(index), e.wide(e.build.getInt64Ty()));
    term = e.build.CreateMul(term, e.splat_constant(e.build.getInt(scale)));
    sum = sum ? e.build.CreateAdd(sum, term) : term;
  }
  Value* of_constant = e.splat_constant(e.build.getInt(constant));
  if (!sum) return of_constant;
  return constant.isZero() ? sum : e.build.CreateAdd(sum, of_constant);
}

/// The addresses of all lanes as integers. They are computed from the first lane's address if the pointer is uniform or
/// affine, otherwise from the pointer's base and offset; if the offset cannot be computed, a vector of pointers is
/// converted.
Value* number_of(Emission& e, Value* pointer, const Place& place) {
  const Shape shape = e.shape(pointer);
  if (!shape.is_varying() && !shape.is_checked())
    return e.spread(e.build.CreatePtrToInt(e.scalar(pointer), e.build.getInt64Ty()), shape);
  Value* offset = place.base == pointer ? nullptr : offset_of(e, place);
  if (!offset) return opaque_addresses(e, e.vector(pointer));
  return e.build.CreateAdd(number_of(e, place.base, {place.base, {}}), offset);
}

} // namespace

Value* opaque_addresses(Emission& e, Value* pointers) {
  if (auto* constant = dyn_cast<Constant>(pointers))
    return ConstantExpr::getPtrToInt(constant, e.wide(e.build.getInt64Ty()));
  return e.build.CreateCall(declare_addresses(*e.target.getParent(), pointers->getType()), {pointers});
}

Value* compare_addresses(Emission& e, const ICmpInst& compare) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  const Place from = place_of(left), to = place_of(right);
  const bool follow_order = from.stays_inside && to.stays_inside && !compare.isSigned();
  if (from.base == to.base && (compare.isEquality() || follow_order)) {
    Value *distance = offset_of(e, from), *other = offset_of(e, to);
    // Offsets within an object are signed and do not wrap, so an unsigned comparison of addresses is a signed
    // comparison of offsets.
    if (distance && other) return e.build.CreateICmp(compare.getSignedPredicate(), distance, other);
  }
  return e.build.CreateICmp(compare.getPredicate(), number_of(e, left, from), number_of(e, right, to));
}

Value* numbers_of_addresses(Emission& e, const CastInst& cast) {
  Value* pointer = cast.getOperand(0);
  return e.build.CreateZExtOrTrunc(number_of(e, pointer, place_of(pointer)), e.wide(cast.getType()));
}

} // namespace hostcl::compiler
