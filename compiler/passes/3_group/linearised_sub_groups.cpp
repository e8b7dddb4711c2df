// Linearises sub-groups: in a kernel that requires a sub-group size, the lanes of a sub-group lie along the linear
// local id, across the ends of rows, so that groups such as 6x4 have full sub-groups as well. For later passes such a
// group has a single row, and the kernel computes its local ids from its index in this row:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.linearised_sub_groups"="true"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %item = call i64 @__hostcl_local_id(i32 0)
//            %row = udiv %item, size 0
//            %z = udiv %row, size 1
//            %y = sub %row, (mul %z, size 1)
//            %x = sub %item, (mul (add (mul %z, size 1), %y), size 0)
//
// The linear id that the library computes from these ids folds to %item. `barrier-regions` runs the chunks of this
// single row.
//
// In: dimensions of queries are constants. Tests: tests/passes/3_group/linearised_sub_groups.ll,
// tests/kernels/groups/required_sub_groups.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <array>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A work-item's local ids and the group's local sizes, by dimension.
struct Place {
  std::array<Value*, 3> id, size;
};

/// Writes the computation at the kernel's beginning. Local ids are below 2^31, so 32-bit divisions suffice, which are
/// faster.
Place place_of_item(Function& kernel, const KernelShape& shape) {
  Module& module = *kernel.getParent();
  IRBuilder<> build(&*kernel.getEntryBlock().getFirstInsertionPt());
  auto quotient = [&](Value* number, Value* divisor, const char* name) {
    Type* narrow = build.getInt32Ty();
    Value* result = build.CreateUDiv(build.CreateTrunc(number, narrow), build.CreateTrunc(divisor, narrow));
    return build.CreateZExt(result, number->getType(), name);
  };
  Place place;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    place.size[dimension] = build.CreateCall(declare_intrinsic(module, Intrinsic::local_size),
                                             {build.getInt32(dimension)}, "size");
  Value* item = build.CreateCall(declare_intrinsic(module, Intrinsic::local_id), {build.getInt32(0)}, "item");
  Value* row = quotient(item, place.size[0], "row");
  Value* z = shape.dimensions < 3 ? build.getInt64(0) : quotient(row, place.size[1], "z");
  Value* rows_before = build.CreateMul(z, place.size[1]);
  Value* y = build.CreateSub(row, rows_before, "y");
  Value* x = build.CreateSub(item, build.CreateMul(build.CreateAdd(rows_before, y), place.size[0]), "x");
  place.id = {x, y, z};
  return place;
}

} // namespace

PreservedAnalyses linearised_sub_groups_pass(Function& function, FunctionAnalysisManager&) {
  const KernelShape shape = kernel_shape(function);
  if (!is_kernel_body(function) || !shape.linearised_sub_groups) return PreservedAnalyses::all();
  SmallVector<CallBase*, 16> ids, sizes;
  for (Instruction& instruction : instructions(function)) {
    if (is_call_of(instruction, Intrinsic::local_id)) ids.push_back(cast<CallBase>(&instruction));
    if (is_call_of(instruction, Intrinsic::local_size)) sizes.push_back(cast<CallBase>(&instruction));
  }
  if (ids.empty()) return PreservedAnalyses::all();
  const Place place = place_of_item(function, shape);
  for (CallBase* query : concat<CallBase*>(ids, sizes)) {
    const auto& values = is_call_of(*query, Intrinsic::local_id) ? place.id : place.size;
    query->replaceAllUsesWith(values[dimension_of(*query)]);
    query->eraseFromParent();
  }
  return all_but_values(true);
}

} // namespace hostcl::compiler
