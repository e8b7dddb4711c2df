#include "compiler/passes/group/joined_rows.hpp"

#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <array>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Writes the local ids at the kernel's beginning. They are below 2^31, and a division of 32 bits is the faster one.
std::array<Value*, 3> ids_of_item(Function& kernel, const KernelShape& shape) {
  Module& module = *kernel.getParent();
  IRBuilder<> build(&*kernel.getEntryBlock().getFirstInsertionPt());
  const Intrinsic sizes = shape.uniform_groups ? Intrinsic::enqueued_local_size : Intrinsic::local_size;
  auto size = [&](unsigned dimension) -> Value* {
    if (dimension >= shape.dimensions) return build.getInt64(1);
    return build.CreateCall(declare_intrinsic(module, sizes), {build.getInt32(dimension)}, "size");
  };
  auto quotient = [&](Value* number, Value* divisor, const char* name) {
    Type* narrow = build.getInt32Ty();
    Value* result = build.CreateUDiv(build.CreateTrunc(number, narrow), build.CreateTrunc(divisor, narrow));
    return build.CreateZExt(result, number->getType(), name);
  };
  Value* item = build.CreateCall(declare_intrinsic(module, Intrinsic::local_id), {build.getInt32(0)}, "item");
  Value *size_x = size(0), *size_y = size(1);
  Value* row = quotient(item, size_x, "row");
  Value* z = shape.dimensions < 3 ? build.getInt64(0) : quotient(row, size_y, "z");
  Value* rows_before = build.CreateMul(z, size_y);
  Value* y = build.CreateSub(row, rows_before, "y");
  Value* x = build.CreateSub(item, build.CreateMul(build.CreateAdd(rows_before, y), size_x), "x");
  return {x, y, z};
}

} // namespace

PreservedAnalyses JoinedRowsPass::run(Function& function, FunctionAnalysisManager&) {
  const KernelShape shape = kernel_shape(function);
  if (!is_kernel_body(function) || !shape.joined_rows) return PreservedAnalyses::all();
  SmallVector<CallBase*, 16> queries;
  for (Instruction& instruction : instructions(function))
    if (is_call_of(instruction, Intrinsic::local_id)) queries.push_back(cast<CallBase>(&instruction));
  if (queries.empty()) return PreservedAnalyses::all();
  const std::array<Value*, 3> ids = ids_of_item(function, shape);
  for (CallBase* query : queries) {
    query->replaceAllUsesWith(ids[dimension_of(*query)]);
    query->eraseFromParent();
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler
