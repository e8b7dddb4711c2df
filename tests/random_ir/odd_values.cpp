#include "odd_values.hpp"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"

namespace random_ir {

using namespace llvm;

namespace {

/// A variable for each address space that modules have variables in.
void add_variables(Module& module) {
  LLVMContext& context = module.getContext();
  Type* words = ArrayType::get(Type::getInt32Ty(context), 6);
  Type* nothing = ArrayType::get(Type::getInt16Ty(context), 0);
  auto add = [&](Type* type, bool is_constant, Constant* initial, const char* name, unsigned space) {
    module.insertGlobalVariable(new GlobalVariable(type, is_constant, GlobalValue::InternalLinkage, initial,
                                                   name, GlobalValue::NotThreadLocal, space));
  };
  add(words, true, ConstantAggregateZero::get(words), "table", 2);
  add(nothing, true, UndefValue::get(nothing), "nothing", 2);
  add(words, false, PoisonValue::get(words), "tile", 3);
  add(nothing, false, UndefValue::get(nothing), "empty_tile", 3);
}

} // namespace

OddValues::OddValues(Module& module, Random& random)
    : module_(module), context_(module.getContext()), random_(random) {
  add_variables(module);
}

Type* OddValues::integer() {
  constexpr unsigned bits[] = {1, 8, 16, 32, 32, 32, 64, 64};
  return IntegerType::get(context_, random_.one_of(bits));
}

Type* OddValues::floating() {
  switch (random_.below(4)) {
  case 0:
    return Type::getHalfTy(context_);
  case 1:
    return Type::getDoubleTy(context_);
  default:
    return Type::getFloatTy(context_);
  }
}

FixedVectorType* OddValues::vector_of(Type* element) {
  constexpr unsigned sizes[] = {1, 2, 2, 3, 4, 4, 8, 16};
  return FixedVectorType::get(element, random_.one_of(sizes));
}

Type* OddValues::pointer() {
  constexpr unsigned spaces[] = {0, 1, 1, 1, 2, 3, 4};
  return PointerType::get(context_, random_.one_of(spaces));
}

Type* OddValues::aggregate() {
  switch (random_.below(4)) {
  case 0:
    return StructType::get(context_, {});
  case 1:
    return StructType::get(context_, {Type::getInt32Ty(context_), Type::getFloatTy(context_)});
  case 2:
    return ArrayType::get(Type::getInt16Ty(context_), random_.below(4));
  default:
    return StructType::get(context_, {Type::getInt8Ty(context_), ArrayType::get(integer(), 2)});
  }
}

Type* OddValues::any() {
  switch (random_.below(12)) {
  case 0:
    return aggregate();
  case 1:
  case 2:
    return pointer();
  case 3:
  case 4:
  case 5:
    return floatings();
  default:
    return integers();
  }
}

Type* OddValues::in_memory() {
  return random_.one_in(3) ? ArrayType::get(any(), random_.below(6)) : any();
}

Constant* OddValues::integer_constant(IntegerType* type) {
  const unsigned bits = type->getBitWidth();
  switch (random_.below(6)) {
  case 0:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits) - random_.below(2));
  case 1:
    return ConstantInt::getAllOnesValue(type);
  case 2: // what shifts by the whole width have
    return ConstantInt::get(type, bits + random_.below(2), false, true);
  case 3:
    return ConstantInt::get(type, 0);
  default:
    return ConstantInt::get(type, random_.below(20), false, true);
  }
}

Constant* OddValues::floating_constant(Type* type) {
  const fltSemantics& semantics = type->getFltSemantics();
  const bool negative = random_.one_in(2);
  switch (random_.below(6)) {
  case 0:
    return ConstantFP::getNaN(type, negative);
  case 1:
    return ConstantFP::getInfinity(type, negative);
  case 2:
    return ConstantFP::getZero(type, negative);
  case 3:
    return ConstantFP::get(context_, APFloat::getSmallest(semantics, negative));
  case 4:
    return ConstantFP::get(context_, APFloat::getLargest(semantics, negative));
  default:
    return ConstantFP::get(type, random_.below(9) * 0.5);
  }
}

Constant* OddValues::vector_constant(FixedVectorType* type) {
  if (random_.one_in(2))
    return ConstantVector::getSplat(type->getElementCount(), constant(type->getElementType()));
  SmallVector<Constant*, 16> elements;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    elements.push_back(constant(type->getElementType()));
  return ConstantVector::get(elements);
}

Constant* OddValues::pointer_constant(PointerType* type) {
  SmallVector<GlobalVariable*, 4> variables;
  for (GlobalVariable& variable : module_.globals())
    variables.push_back(&variable);
  const unsigned space = type->getAddressSpace();
  GlobalVariable* variable = variables[random_.below(static_cast<unsigned>(variables.size()))];
  switch (random_.below(4)) {
  case 0:
    return ConstantExpr::getIntToPtr(integer_constant(Type::getInt64Ty(context_)), type);
  case 1:
    if (space == 4) return ConstantExpr::getAddrSpaceCast(variable, type);
    if (variable->getAddressSpace() == space)
      return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context_), variable,
                                            integer_constant(Type::getInt64Ty(context_)));
    break;
  case 2:
    if (space == 4)
      return ConstantExpr::getAddrSpaceCast(ConstantPointerNull::get(PointerType::get(context_, 3)), type);
    break;
  default:
    break;
  }
  return ConstantPointerNull::get(type);
}

Constant* OddValues::constant(Type* type) {
  if (random_.one_in(8)) return PoisonValue::get(type);
  if (random_.one_in(8)) return UndefValue::get(type);
  if (auto* number = dyn_cast<IntegerType>(type)) return integer_constant(number);
  if (type->isFloatingPointTy()) return floating_constant(type);
  if (auto* vector = dyn_cast<FixedVectorType>(type)) return vector_constant(vector);
  if (auto* pointer = dyn_cast<PointerType>(type)) return pointer_constant(pointer);
  return Constant::getNullValue(type);
}

} // namespace random_ir
