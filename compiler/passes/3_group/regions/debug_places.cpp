#include "compiler/passes/3_group/regions/debug_places.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

DebugPlaces::DebugPlaces(Function& kernel) {
  for (Instruction& instruction : instructions(kernel)) {
    for (DbgVariableRecord& record : make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
      if (record.isDbgDeclare() && isa_and_nonnull<AllocaInst>(record.getVariableLocationOp(0))) {
        record.removeFromParent();
        declarations_.push_back(&record);
      }
    instruction.dropDbgRecords();
  }
}

void DebugPlaces::note_moved(AllocaInst& variable, BasicBlock& group) {
  if (none_of(declarations_, [&](auto* known) { return known->getVariableLocationOp(0) == &variable; }))
    return;
  IRBuilder<> builder(&group, group.begin());
  addresses_[&variable] = builder.CreateAlloca(variable.getType(), nullptr, variable.getName() + ".address");
}

void DebugPlaces::describe(BasicBlock& group) {
  for (DbgVariableRecord* known : declarations_) {
    if (AllocaInst* address = address_of(*cast<AllocaInst>(known->getVariableLocationOp(0)))) {
      known->setExpression(DIExpression::prepend(known->getExpression(), DIExpression::DerefBefore));
      known->replaceVariableLocationOp(0u, address);
    }
    group.insertDbgRecordBefore(known, group.getTerminator()->getIterator());
  }
}

} // namespace hostcl::compiler
