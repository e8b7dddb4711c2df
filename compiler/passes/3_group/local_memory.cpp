#include "compiler/passes/3_group/local_memory.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/scratch_places.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

#include <string>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::uint64_t group_scratch_bytes = 1024;

struct Placed {
  GlobalVariable* variable; ///< null for the scratch of work-group functions
  std::uint64_t offset;
  std::uint64_t alignment = 1;
};

struct LocalLayout {
  std::vector<Placed> places;
  std::uint64_t bytes = 0;
};

void add_variables(const Value* value, SetVector<GlobalVariable*>& variables, SetVector<const Value*>& seen) {
  auto* constant = dyn_cast<Constant>(value);
  if (!constant || isa<Function>(constant) || !seen.insert(constant)) return;
  if (auto* global = dyn_cast<GlobalVariable>(constant)) {
    if (global->getAddressSpace() == local_space) variables.insert(const_cast<GlobalVariable*>(global));
    return;
  }
  for (const Use& operand : constant->operands())
    add_variables(operand.get(), variables, seen);
}

LocalLayout layout_of(const Function& kernel) {
  SetVector<GlobalVariable*> used;
  SetVector<const Value*> seen;
  bool scratch = false;
  for (const Instruction& instruction : instructions(kernel)) {
    scratch |= is_call_of(instruction, Intrinsic::group_scratch);
    for (const Use& operand : instruction.operands())
      add_variables(operand.get(), used, seen);
  }
  LocalLayout result;
  const DataLayout& layout = kernel.getDataLayout();
  auto place = [&](GlobalVariable* variable, std::uint64_t bytes, std::uint64_t alignment) {
    result.bytes = alignTo(result.bytes, abi::scratch_alignment);
    result.places.push_back({variable, result.bytes, alignment});
    result.bytes += bytes + padding_for(alignment);
  };
  if (scratch) place(nullptr, group_scratch_bytes, 1);
  for (GlobalVariable& variable : const_cast<Module*>(kernel.getParent())->globals())
    if (used.contains(&variable))
      place(&variable, layout.getTypeAllocSize(variable.getValueType()),
            variable.getAlign().valueOrOne().value());
  result.bytes = alignTo(result.bytes, abi::scratch_alignment);
  return result;
}

/// Replaces constant expressions with the variables by instructions. If a phi has one for the entry block, its
/// instruction is the first one of that block. LLVM makes an instruction for each operand, but a phi must have the same
/// value for all edges from one block.
void expand_constants(Function& kernel, const LocalLayout& layout) {
  SmallVector<Constant*, 8> variables;
  for (const Placed& placed : layout.places)
    if (placed.variable) variables.push_back(placed.variable);
  convertUsersOfConstantsToInstructions(variables, &kernel);
  for (BasicBlock& block : kernel)
    for (PHINode& phi : block.phis())
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        phi.setIncomingValue(i, phi.getIncomingValueForBlock(phi.getIncomingBlock(i)));
}

void replace_variable(Function& kernel, GlobalVariable& variable, Value* place) {
  variable.replaceUsesWithIf(place, [&](Use& use) {
    auto* user = dyn_cast<Instruction>(use.getUser());
    return user && user->getFunction() == &kernel;
  });
  variable.removeDeadConstantUsers();
  if (variable.use_empty()) variable.eraseFromParent();
}

} // namespace

std::uint64_t static_local_bytes(const Function& kernel) {
  std::uint64_t bytes = 0;
  Attribute known = kernel.getFnAttribute(metadata::static_local_bytes);
  if (known.isStringAttribute() && !known.getValueAsString().getAsInteger(10, bytes)) return bytes;
  return layout_of(kernel).bytes;
}

PreservedAnalyses local_memory_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  LocalLayout layout = layout_of(function);
  function.addFnAttr(metadata::static_local_bytes, std::to_string(layout.bytes));
  if (layout.places.empty()) return PreservedAnalyses::all();
  if (!layout.places.front().variable) function.addFnAttr(metadata::group_scratch, "true");

  BasicBlock& entry = function.getEntryBlock();
  const DebugLoc line = entry.getFirstNonPHIOrDbgOrAlloca()->getDebugLoc();
  expand_constants(function, layout);
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(line); // not that of a phi's constant expression
  Value* base =
      builder.CreateCall(declare_intrinsic(*function.getParent(), Intrinsic::local_base), {}, "local");
  std::vector<Value*> places;
  for (auto [variable, offset, alignment] : layout.places) {
    StringRef name = variable ? variable->getName() : "scratch";
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset, name);
    places.push_back(aligned_up(builder, place, alignment));
  }
  for (auto [placed, value] : zip_equal(layout.places, places))
    if (placed.variable)
      replace_variable(function, *placed.variable, value);
    else
      replace_each(function, [&](Instruction& instruction) {
        return is_call_of(instruction, Intrinsic::group_scratch) ? value : nullptr;
      });
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
