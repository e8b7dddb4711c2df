#include "compiler/passes/1_kernel/constant_dimensions.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool has_variable_dimension(const Instruction& instruction) {
  return is_dimension_query(instruction) && !isa<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
}

Value* take_apart(CallBase& query) {
  IRBuilder<> builder(&query);
  Value* dimension = query.getArgOperand(0);
  auto in = [&](unsigned constant) {
    auto* copy = cast<CallBase>(query.clone());
    copy->setArgOperand(0, builder.getInt32(constant));
    return builder.Insert(copy);
  };
  Value *x = in(0), *y = in(1), *z = in(2);
  Value* rest = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(1)), y, z);
  return builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(0)), x, rest);
}

} // namespace

bool make_dimensions_constant(Function& function) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!has_variable_dimension(instruction)) continue;
    instruction.replaceAllUsesWith(take_apart(cast<CallBase>(instruction)));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

PreservedAnalyses constant_dimensions_pass(Function& function, FunctionAnalysisManager&) {
  return all_but_values(make_dimensions_constant(function));
}

} // namespace hostcl::compiler
