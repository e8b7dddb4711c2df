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
    for (DbgVariableRecord& record : filterDbgVars(instruction.getDbgRecordRange())) {
      auto* variable =
          record.isDbgDeclare() ? dyn_cast_or_null<AllocaInst>(record.getVariableLocationOp(0)) : nullptr;
      if (variable)
        declarations_.push_back(
            {variable, record.getVariable(), record.getExpression(), record.getDebugLoc().get()});
    }
    instruction.dropDbgRecords();
  }
}

void DebugPlaces::note_moved(AllocaInst& variable, BasicBlock& group) {
  if (none_of(declarations_, [&](const Declaration& known) { return known.variable == &variable; })) return;
  IRBuilder<> builder(&group, group.begin());
  addresses_[&variable] = builder.CreateAlloca(variable.getType(), nullptr, variable.getName() + ".address");
}

void DebugPlaces::describe(BasicBlock& group) const {
  for (const Declaration& known : declarations_) {
    AllocaInst* address = address_of(*known.variable);
    DIExpression* expression =
        address ? DIExpression::prepend(known.expression, DIExpression::DerefBefore) : known.expression;
    auto* record = DbgVariableRecord::createDVRDeclare(address ? address : known.variable, known.described,
                                                       expression, known.location);
    group.insertDbgRecordBefore(record, group.getTerminator()->getIterator());
  }
}

} // namespace hostcl::compiler
