// Versions kernels for the race check: if a kernel cannot have races in most launches, such launches run a version
// without checks, which can also be vectorised.
//
//   before:  define spir_kernel void @k(...)
//
//   after:   define spir_kernel void @k(...)              as it was
//            define spir_kernel void @k.checked(...)      a copy, which check-races instruments
//            define i1 @k.race_free(...)                  whether the launch needs no checks (freedom/race_freedom.hpp)
//
// `kernel-entry` makes one entry function of the three. All groups of a launch run the same version, because the
// condition depends on the launch only.
//
// Only kernels whose accesses can all be proved are split: kernels without asynchronous copies and sub-group
// operations.
//
// Without this (proven_races) sgemm_naive of bench/ takes 90 times as long as without checks instead of 2, transpose 90
// and sgemm_tiled 110 instead of 1 (2 cores of an AMD EPYC, which had other work as well).
//
// In:  as for check-races, before checks that have branches of their own.
// Tests: tests/passes/checks/races/split_races*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/checks/freedom/race_freedom.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Creates a function with the kernel's parameters that returns whether the launch needs no checks. Null if no
/// condition is found.
Function* make_condition(Function& kernel, FunctionAnalysisManager& analyses) {
  LLVMContext& context = kernel.getContext();
  auto* type = FunctionType::get(Type::getInt1Ty(context), kernel.getFunctionType()->params(), false);
  auto* function = Function::Create(type, GlobalValue::ExternalLinkage, kernel.getName() + ".race_free",
                                    kernel.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  Value* condition = condition_of_no_race(kernel, analyses, builder);
  const auto* known = dyn_cast_or_null<ConstantInt>(condition);
  if (!condition || (known && known->isZero())) {
    function->eraseFromParent();
    return nullptr;
  }
  builder.CreateRet(condition);
  for (Argument& argument : kernel.args())
    argument.replaceUsesWithIf(function->getArg(argument.getArgNo()), [&](const Use& use) {
      return cast<Instruction>(use.getUser())->getFunction() == function;
    });
  return function;
}

void split(Function& kernel, FunctionAnalysisManager& analyses) {
  constexpr unsigned most_instructions = 10'000; // larger kernels are not copied
  if (uses_sub_groups(kernel) || kernel.getInstructionCount() > most_instructions) return;
  Function* condition = make_condition(kernel, analyses);
  if (!note_change(Heuristic::proven_races, condition)) return;
  ValueToValueMapTy copies;
  Function* checked = CloneFunction(&kernel, copies);
  // Both versions become part of one entry function, whose lines belong to the kernel's subprogram.
  checked->setSubprogram(nullptr);
  for (auto [original, copy] : zip_equal(instructions(kernel), instructions(*checked))) {
    copy.setDebugLoc(original.getDebugLoc());
    copy.setMetadata(LLVMContext::MD_loop, original.getMetadata(LLVMContext::MD_loop));
  }
  checked->setName(kernel.getName() + ".checked");
  checked->addFnAttr(metadata::checks_of, kernel.getName());
  kernel.addFnAttr(metadata::checked_form, checked->getName());
  kernel.addFnAttr(metadata::race_condition, condition->getName());
}

} // namespace

PreservedAnalyses split_races_pass(Module& module, ModuleAnalysisManager& analyses,
                                   const Switches& switches) {
  if (!switches.is_on(Heuristic::proven_races)) return PreservedAnalyses::all();
  auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function*, 1> kernels;
  for (Function& function : module)
    if (is_kernel_body(function)) kernels.push_back(&function);
  for (Function* kernel : kernels)
    split(*kernel, of_functions);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
