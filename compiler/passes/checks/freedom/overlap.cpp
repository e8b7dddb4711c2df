#include "compiler/passes/checks/freedom/overlap.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/pointers.hpp"

#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A range of memory.
struct Extent {
  Value *begin, *bytes;
};

Extent extent_of_image(IRBuilder<>& builder, Argument& image) {
  auto field = [&](std::size_t offset, Type* type) {
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &image, offset);
    return builder.CreateZExtOrTrunc(builder.CreateLoad(type, address), builder.getInt64Ty());
  };
  auto rows = [&](std::size_t pitch, std::size_t count) {
    return builder.CreateMul(field(pitch, builder.getInt64Ty()), field(count, builder.getInt32Ty()));
  };
  auto greater = [&](Value* a, Value* b) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  };
  Value* slices = greater(rows(offsetof(abi::Image, slice_pitch), offsetof(abi::Image, depth)),
                          rows(offsetof(abi::Image, slice_pitch), offsetof(abi::Image, layers)));
  return {field(offsetof(abi::Image, data), builder.getInt64Ty()),
          greater(rows(offsetof(abi::Image, row_pitch), offsetof(abi::Image, height)), slices)};
}

/// The range of a parameter's object; all memory if it is unknown.
Extent extent_of(IRBuilder<>& builder, Argument& parameter) {
  if (is_image(parameter)) return extent_of_image(builder, parameter);
  Value* address = builder.CreatePtrToInt(&parameter, builder.getInt64Ty());
  const unsigned number = parameter.getArgNo();
  return {builder.CreateAdd(address, call_intrinsic(builder, Intrinsic::object_low, number)),
          call_intrinsic(builder, Intrinsic::object_size, number)};
}

} // namespace

Value* overlap(IRBuilder<>& builder, Argument& left, Argument& right) {
  const Extent from = extent_of(builder, left), to = extent_of(builder, right);
  Value *distance = builder.CreateSub(to.begin, from.begin), *back = builder.CreateNeg(distance);
  return builder.CreateOr(builder.CreateICmpULT(distance, from.bytes), builder.CreateICmpULT(back, to.bytes));
}

} // namespace hostcl::compiler
